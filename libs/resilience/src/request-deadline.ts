import { AsyncLocalStorage } from 'node:async_hooks';

/** The `performance.now()` at which the caller stops waiting. A hanging dependency must be reported before. */
export const requestDeadline = new AsyncLocalStorage<number>();

/** Aborted when a heavy request ends, for its queries; a short query is cheaper to finish than to cancel. */
export const requestSignal = new AsyncLocalStorage<AbortSignal>();

const marginMsMax = 500;
const marginPercent = 20;

/** Milliseconds that the request may wait for a dependency: to its deadline, less a margin. Undefined without one; never negative. */
export function remainingMs(): number | undefined {
	const deadlineAt = requestDeadline.getStore();
	if (deadlineAt === undefined) return undefined;
	const untilMs = Math.max(0, deadlineAt - performance.now());
	return untilMs - Math.min(marginMsMax, (untilMs * marginPercent) / 100);
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
