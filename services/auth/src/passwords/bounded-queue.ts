import { fail } from '@paddock/contract';
import pLimit from 'p-limit';

export interface BoundedQueue {
	/**
	 * Runs `work` when its turn comes.
	 * @throws ApiError OVERLOADED when too many wait already, or when the caller had given up before its turn.
	 */
	run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Lets `atOnce` pieces of work run and `waitingMax` wait. Password hashes take all of a core for tens of
 * milliseconds each: without a bound a burst of sign-ins would take the cores from every other route, and the last
 * of the burst would be served long after its caller left.
 */
export function createBoundedQueue(options: {
	readonly atOnce: number;
	readonly waitingMax: number;
	/** What a refused caller is told to wait. */
	readonly retryAfterMs: number;
}): BoundedQueue {
	const limit = pLimit(options.atOnce);
	const overloaded = (message: string) =>
		fail('OVERLOADED', {
			// Everything else works; the gateway's breaker reads it.
			headers: { 'X-Failed-Part': 'password hashing' },
			retryAfterMs: options.retryAfterMs,
			cause: new Error(message),
		});
	return {
		run: async (signal, work) => {
			if (limit.activeCount + limit.pendingCount >= options.atOnce + options.waitingMax)
				throw overloaded('too many password hashes wait');
			return limit(async () => {
				if (signal.aborted) throw overloaded('the caller gave up while waiting for a password hash');
				return work();
			});
		},
	};
}
