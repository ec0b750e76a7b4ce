const minMs = 500;
const maxMs = 30_000;
const goodRunMs = 60_000;

/** The delay before a restart: doubles each time, and resets once the process has run for a minute. */
export interface RestartDelay {
	/** @param ranMs how long the process ran before it exited */
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
