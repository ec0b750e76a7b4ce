interface RetryLoopDeps {
	/** One round; resolves to the pause in milliseconds. Throwing or undefined is a failure. It must end when the signal is aborted. */
	step: (signal: AbortSignal) => Promise<number | undefined>;
	/** Receives the error of a round; must not throw. */
	onFailure?: (error: unknown) => void;
	/** The minimum between the starts of two rounds. */
	periodMinMs?: number;
	backoffMinMs?: number;
	backoffMaxMs?: number;
	random?: () => number;
	/** Pauses do not keep the process alive. */
	unref?: boolean;
}

export interface RetryLoop {
	/** Resolves when the last round has ended; a running one may continue for `graceMs` before it is aborted. */
	stop(graceMs?: number): Promise<void>;
}

/** Repeats a step until it is stopped; failures never end the loop. Consecutive failures are spaced by `backoffMs`. */
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
	const { step, onFailure, periodMinMs = 0, backoffMinMs = 250, backoffMaxMs = 5_000 } = deps;
	const limits = { backoffMinMs, backoffMaxMs, random: deps.random ?? Math.random };
	let failures = 0;
	while (!stopped.aborted) {
		// Monotonic: a wall clock that is set back would stretch the pause.
		const startedMs = performance.now();
		let pauseMs: number | undefined;
		try {
			pauseMs = await step(callSignal);
		} catch (error) {
			if (stopped.aborted) return;
			onFailure?.(error);
		}
		failures = pauseMs === undefined ? failures + 1 : 0;
		pauseMs ??= backoffMs(failures, limits);
		const remainingMs = Math.max(pauseMs, periodMinMs - (performance.now() - startedMs));
		await pause(remainingMs, stopped, deps.unref === true);
	}
}

interface BackoffLimits {
	readonly backoffMinMs: number;
	readonly backoffMaxMs: number;
	/** Returns a number in [0, 1); 1 for no jitter. */
	readonly random: () => number;
}

/** The pause after the n-th consecutive failure: doubled up to the maximum, with the second half random. */
export function backoffMs(failures: number, limits: BackoffLimits): number {
	const fullMs = Math.min(limits.backoffMaxMs, limits.backoffMinMs * 2 ** (failures - 1));
	return fullMs * (0.5 + limits.random() / 2);
}

function pause(delayMs: number, signal: AbortSignal, unref: boolean): Promise<void> {
	if (signal.aborted) return Promise.resolve();
	return new Promise((resolve) => {
		const end = (): void => {
			clearTimeout(timer);
			signal.removeEventListener('abort', end);
			resolve();
		};
		const timer = setTimeout(end, delayMs);
		if (unref) timer.unref();
		signal.addEventListener('abort', end, { once: true });
	});
}

// A process that has run for this long did not fail at its start.
const goodRunMs = 60_000;

/** Creates the function that returns the pause before the restart of a process that ran for `ranMs`, see `backoffMs`. */
export function createRestartDelay(limits: BackoffLimits): (ranMs: number) => number {
	let restarts = 0;
	return (ranMs) => {
		restarts = ranMs >= goodRunMs ? 1 : restarts + 1;
		return backoffMs(restarts, limits);
	};
}
