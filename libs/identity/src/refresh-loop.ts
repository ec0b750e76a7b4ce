export interface RefreshLoopDeps {
	/** Resolves to whether it succeeded; never rejects. */
	readonly refresh: () => Promise<boolean>;
	/** The pause after a success. */
	readonly refreshEveryMs: number;
	/** The longest pause after failures; by default 5 s, and never longer than after a success. */
	readonly retryMsMax?: number;
	readonly random: () => number;
}

export interface RefreshLoop {
	/** Begins with a refresh at once; a second call changes nothing. */
	start(): void;
	stop(): void;
}

export const retryMinMs = 250;
export const retryMaxMs = 5_000;

/** Refreshes regularly, and sooner after a failure; nothing but `stop` ends it. */
export function createRefreshLoop(deps: RefreshLoopDeps): RefreshLoop {
	const { refresh, refreshEveryMs, random } = deps;
	const pauseMsMax = deps.retryMsMax ?? Math.min(retryMaxMs, refreshEveryMs);
	let timer: NodeJS.Timeout | undefined;
	let state: 'new' | 'running' | 'stopped' = 'new';
	let failures = 0;

	async function round(): Promise<void> {
		failures = (await refresh()) ? 0 : failures + 1;
		if (state !== 'running') return;
		timer = setTimeout(() => void round(), failures === 0 ? refreshEveryMs : pauseMs());
		// Waiting for the next round alone is no reason for a process to go on.
		timer.unref();
	}

	/** Doubled with each failure in a row, half of it drawn, so that all processes don't come back in step. */
	function pauseMs(): number {
		const fullMs = Math.min(pauseMsMax, retryMinMs * 2 ** (failures - 1));
		return fullMs * (0.5 + random() / 2);
	}

	return {
		start: () => {
			if (state !== 'new') return;
			state = 'running';
			void round();
		},
		stop: () => {
			state = 'stopped';
			clearTimeout(timer);
		},
	};
}
