import { NetworkError, PaddockError } from './errors.ts';
import type { Runtime } from './runtime.ts';

interface RetryBudget {
	readonly attemptsMax: number;
	/** Instant, in milliseconds since 1970, at which no further attempt may begin. */
	readonly until: number;
	/** Ends a wait. */
	readonly signal: AbortSignal;
}

const backoffMs = 200;
const backoffMsMax = 10_000;

/**
 * Repeats `attempt` while it fails temporarily and the budget lasts. Only for requests without a second effect.
 * @throws the error of the last attempt
 */
export async function withRetries<T>(
	attempt: () => Promise<T>,
	budget: RetryBudget,
	runtime: Runtime,
): Promise<T> {
	for (let count = 1; ; count += 1) {
		try {
			return await attempt();
		} catch (error) {
			const wait = waitBeforeRetry(error, count, runtime);
			if (wait === undefined || count >= budget.attemptsMax || runtime.now() + wait >= budget.until)
				throw error;
			await runtime.pause(wait, budget.signal);
		}
	}
}

/** Milliseconds; undefined if the failure is not temporary. Never less than `Retry-After`; the jitter spreads the clients. */
export function waitBeforeRetry(error: unknown, count: number, { random }: Runtime): number | undefined {
	const isRefused = error instanceof PaddockError && (error.status === 429 || error.status === 503);
	if (!isRefused && !(error instanceof NetworkError)) return undefined;
	const backoff = Math.min(backoffMs * 2 ** (count - 1), backoffMsMax);
	const retryAfterMs = isRefused ? error.retryAfterMs : undefined;
	return retryAfterMs === undefined
		? backoff * (0.5 + random() / 2)
		: retryAfterMs + random() * Math.max(backoff, retryAfterMs / 4);
}
