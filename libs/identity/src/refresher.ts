import { type RetryLoop, startRetryLoop } from '@paddock/resilience';

interface RefresherDeps {
	/** One fetch; resolves to whether it succeeded. The signal aborts at `close()`. Must not throw. */
	readonly fetchOnce: (signal: AbortSignal) => Promise<boolean>;
	/** The pause after a successful fetch. */
	readonly pauseMs: number;
	readonly backoffMaxMs: number;
	readonly random: () => number;
}

interface Refresher {
	/** Starts repeated fetches at once, until `close()`. */
	start(): void;
	/** Fetches now, or joins the fetch in progress; false once closed. */
	refresh(): Promise<boolean>;
	/** Whether a fetch is in progress. */
	busy(): boolean;
	close(reason: string): void;
}

/** Repeats a fetch, at most one at a time; failures back off. */
export function createRefresher(deps: RefresherDeps): Refresher {
	const closing = new AbortController();
	let fetching: Promise<boolean> | undefined;
	let loop: RetryLoop | undefined;

	function refresh(): Promise<boolean> {
		if (closing.signal.aborted) return Promise.resolve(false);
		fetching ??= deps.fetchOnce(closing.signal).finally(() => {
			fetching = undefined;
		});
		return fetching;
	}

	return {
		start: () => {
			if (closing.signal.aborted) return;
			loop ??= startRetryLoop({
				step: async () => ((await refresh()) ? deps.pauseMs : undefined),
				backoffMaxMs: deps.backoffMaxMs,
				random: deps.random,
				unref: true,
			});
		},
		refresh,
		busy: () => fetching !== undefined,
		close: (reason) => {
			closing.abort(new Error(reason));
			void loop?.stop();
		},
	};
}
