const tickMs = 10;
// The normal delay of timers.
const lateMs = 20;

/**
 * Measures a duration without the time in which this process couldn't run, so that a stall of a busy machine breaks no
 * time limit. The process's own computation isn't counted either: use it for waiting, not for computing.
 * @returns a function that stops the measurement and returns the milliseconds; it throws when called again
 */
export function startStopwatch(): () => number {
	const startedMs = performance.now();
	let seenMs = startedMs;
	let stalledMs = 0;
	const sample = (): void => {
		const nowMs = performance.now();
		stalledMs += Math.max(0, nowMs - seenMs - tickMs - lateMs);
		seenMs = nowMs;
	};
	const timer = setInterval(sample, tickMs).unref();
	let stopped = false;
	return () => {
		if (stopped) throw new Error('This stopwatch has been stopped.');
		stopped = true;
		sample();
		clearInterval(timer);
		return seenMs - startedMs - stalledMs;
	};
}
