const minMs = 500;
const maxMs = 30_000;
const goodRunMs = 60_000;

/**
 * The delay before a restart of a process that ran for `ranMs`: doubles each time, and resets once the process has run
 * for a minute.
 */
export function createRestartDelay(): (ranMs: number) => number {
	let delayMs = minMs;
	return (ranMs) => {
		if (ranMs >= goodRunMs) delayMs = minMs;
		const current = delayMs;
		delayMs = Math.min(delayMs * 2, maxMs);
		return current;
	};
}
