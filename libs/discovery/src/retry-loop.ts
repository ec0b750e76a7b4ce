import { setTimeout as wait } from 'node:timers/promises';

export interface RetryLoopDeps {
	/**
	 * One round; resolves to the milliseconds to pause before the next one. Whatever it throws starts the back-off.
	 * It must end soon after the signal is aborted.
	 */
	step: (signal: AbortSignal) => Promise<number>;
	/** Told about each failed round; must not throw. */
	onFailure: (error: unknown) => void;
	/** At least this lies between the starts of two rounds. */
	periodMinMs: number;
	backoffMinMs: number;
	backoffMaxMs: number;
	random: () => number;
}

export interface RetryLoop {
	/** Resolves when the last round is over; the running one may go on for `graceMs` before it is aborted. */
	stop(graceMs?: number): Promise<void>;
}

/** Repeats a step until it is stopped; no failure ends it. Consecutive failures are spaced by `backoffMs`. */
export function startRetryLoop(deps: RetryLoopDeps): RetryLoop {
	const pauses = new AbortController();
	const calls = new AbortController();
	const done = run(deps, pauses.signal, calls.signal);
	return {
		stop: async (graceMs = 0) => {
			pauses.abort();
			if (graceMs === 0) calls.abort();
			const timer = setTimeout(() => calls.abort(), graceMs);
			await done;
			clearTimeout(timer);
		},
	};
}

async function run(deps: RetryLoopDeps, stopped: AbortSignal, callSignal: AbortSignal): Promise<void> {
	let failures = 0;
	while (!stopped.aborted) {
		// Monotonic: a wall clock that is set back would stretch the pause.
		const startedMs = performance.now();
		let pauseMs: number;
		try {
			pauseMs = await deps.step(callSignal);
			failures = 0;
		} catch (error) {
			if (stopped.aborted) return;
			failures += 1;
			pauseMs = backoffMs(failures, deps);
			deps.onFailure(error);
		}
		await pause(Math.max(pauseMs, deps.periodMinMs - (performance.now() - startedMs)), stopped);
	}
}

/**
 * The pause after the n-th failure in a row: doubled each time up to the maximum, then half of it drawn at random, so
 * that all processes that lost the same Consul don't come back in step.
 */
export function backoffMs(
	failures: number,
	limits: Pick<RetryLoopDeps, 'backoffMinMs' | 'backoffMaxMs' | 'random'>,
): number {
	const fullMs = Math.min(limits.backoffMaxMs, limits.backoffMinMs * 2 ** (failures - 1));
	return fullMs * (0.5 + limits.random() / 2);
}

async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
	try {
		await wait(delayMs, undefined, { signal });
	} catch (error) {
		if (!signal.aborted) throw error;
	}
}
