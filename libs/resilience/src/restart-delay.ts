import { type BackoffLimits, backoffMs } from './retry-loop.ts';

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
