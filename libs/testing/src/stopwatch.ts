const tickMs = 10;
// Timers are a little late on any machine.
const lateMs = 20;

/**
 * Returns what stops it and tells the milliseconds until then in which this process could run. When a busy machine stands
 * still, whatever is measured stands still with it, and no limit on a duration should be held against that. What keeps this
 * process busy itself isn't counted either, so this is for what is waited for, not for what is computed. It is stopped once:
 * @throws when it was stopped before, as nobody has looked since
 */
export function startStopwatch(): () => number {
	const startedMs = performance.now();
	let seenMs = startedMs;
	let stoodMs = 0;
	const look = (): void => {
		const nowMs = performance.now();
		stoodMs += Math.max(0, nowMs - seenMs - tickMs - lateMs);
		seenMs = nowMs;
	};
	const timer = setInterval(look, tickMs).unref();
	let stopped = false;
	return () => {
		if (stopped) throw new Error('This stopwatch has been stopped.');
		stopped = true;
		look();
		clearInterval(timer);
		return seenMs - startedMs - stoodMs;
	};
}
