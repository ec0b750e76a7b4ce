const minMs = 500;
const maxMs = 30_000;
const goodRunMs = 60_000;

/** How long to wait before a process that ended is started again: doubling, and from the beginning after a good run. */
export interface RestartDelay {
	/** @param ranMs how long the process ran before it ended */
	next(ranMs: number): number;
}

export function createRestartDelay(): RestartDelay {
	let delayMs = minMs;
	return {
		next: (ranMs) => {
			if (ranMs >= goodRunMs) delayMs = minMs;
			const current = delayMs;
			delayMs = Math.min(delayMs * 2, maxMs);
			return current;
		},
	};
}
