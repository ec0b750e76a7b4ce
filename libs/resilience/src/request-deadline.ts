import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The `performance.now()` at which the caller of the current request stops waiting; undefined without such a caller. A
 * dependency that hangs must be reported before then: the caller would count its own timeout as a failure of this process.
 */
export const requestDeadline = new AsyncLocalStorage<number>();

/**
 * Aborted when the request ends, for work that must not continue without it. Set for heavy requests only: a short query is
 * cheaper to finish than to cancel.
 */
export const requestSignal = new AsyncLocalStorage<AbortSignal>();

const marginMsMax = 500;
const marginPercent = 20;

/**
 * Milliseconds that the current request may wait for a dependency: the time to its deadline, less a margin for the
 * response. Undefined without a deadline; never negative.
 */
export function remainingMs(): number | undefined {
	const deadlineAt = requestDeadline.getStore();
	if (deadlineAt === undefined) return undefined;
	const untilMs = Math.max(0, deadlineAt - performance.now());
	return untilMs - Math.min(marginMsMax, (untilMs * marginPercent) / 100);
}

/**
 * Settles like the promise, unless the signal is aborted first. The work behind the promise continues.
 * @throws the signal's reason when it is aborted first
 */
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
