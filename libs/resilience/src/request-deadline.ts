import { AsyncLocalStorage } from 'node:async_hooks';

/** The `performance.now()` at which waiting for a dependency ends, so that a hanging one is reported before the caller leaves. */
export const requestDeadline = new AsyncLocalStorage<number>();

/** Aborted when a heavy request ends, for its queries; a short query is cheaper to finish than to cancel. */
export const requestSignal = new AsyncLocalStorage<AbortSignal>();

const marginMsMax = 500;
const marginPercent = 20;

/**
 * Runs the work for a caller that waits `ms`. The margin is taken once: several waits, one after the other, that each leave a
 * part of what remains end with the caller's patience.
 */
export function withDeadline<Result>(ms: number, work: () => Result): Result {
	const marginMs = Math.min(marginMsMax, (ms * marginPercent) / 100);
	return requestDeadline.run(performance.now() + ms - marginMs, work);
}

/** Milliseconds that the request may wait for a dependency. Undefined without a deadline; never negative. */
export function remainingMs(): number | undefined {
	const deadlineAt = requestDeadline.getStore();
	return deadlineAt === undefined ? undefined : Math.max(0, deadlineAt - performance.now());
}

/** Settles like the promise, unless the signal is aborted first. @throws the signal's reason then */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	const { promise: aborted, reject } = Promise.withResolvers<never>();
	const onAbort = (): void => reject(signal.reason);
	if (signal.aborted) onAbort();
	signal.addEventListener('abort', onAbort, { once: true });
	try {
		return await Promise.race([promise, aborted]);
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}
