import { type RetryLoop, startRetryLoop, unlessAborted } from '@paddock/resilience';
import type { KeySetLogger } from './key-set.ts';

/** The state of data that are fetched again and again. */
export interface RefreshStatus {
	readonly lastResponseAt?: Date;
	readonly stale: boolean;
	/** The reason for the last failure; absent if the last attempt succeeded. For operators, not for clients. */
	readonly lastError?: string;
}

interface RefresherDeps<Fetched> {
	/** The signal is aborted after `timeoutMs` and at `close()`. */
	readonly fetch: (signal: AbortSignal) => Promise<Fetched>;
	/** Stores what was fetched in time. @throws Error if it is not usable */
	readonly accept: (fetched: Fetched) => void;
	readonly isStale: (status: Omit<RefreshStatus, 'stale'>) => boolean;
	/** Logged once per outage, and once at its end. */
	readonly messages: { readonly lost: string; readonly recovered: string };
	readonly timeoutMs: number;
	readonly pauseMs: number;
	readonly backoffMaxMs: number;
	readonly random: () => number;
	readonly now: () => Date;
	readonly logger: KeySetLogger;
}

// Services start in any order, so failures are expected at first.
const startGraceMs = 10_000;

/** Repeats a fetch, at most one at a time; failures back off. */
export function openRefresher<Fetched>(deps: RefresherDeps<Fetched>) {
	const { timeoutMs, messages, now, logger } = deps;
	const closing = new AbortController();
	const quietUntilMs = now().getTime() + startGraceMs;
	let fetching: Promise<boolean> | undefined;
	let loop: RetryLoop | undefined;
	let ended: Omit<RefreshStatus, 'stale'> = {};
	let reported = false;

	/** Rejects in time even if the fetch ignores its signal. */
	async function fetchInTime(): Promise<Fetched> {
		const late = new AbortController();
		const timer = setTimeout(() => late.abort(new Error(`No response within ${timeoutMs} ms.`)), timeoutMs);
		const signal = AbortSignal.any([closing.signal, late.signal]);
		try {
			return await unlessAborted(deps.fetch(signal), signal);
		} finally {
			clearTimeout(timer);
		}
	}

	async function fetchOnce(): Promise<boolean> {
		try {
			deps.accept(await fetchInTime());
			ended = { lastResponseAt: now() };
			if (reported) logger.info(messages.recovered, {});
			reported = false;
			return true;
		} catch (error) {
			if (closing.signal.aborted) return false;
			ended = { ...ended, lastError: error instanceof Error ? error.message : String(error) };
			const isExpected = ended.lastResponseAt === undefined && now().getTime() < quietUntilMs;
			if (reported || isExpected || !deps.isStale(ended)) return false;
			logger.warn(messages.lost, { error });
			reported = true;
			return false;
		}
	}

	function refresh(): Promise<boolean> {
		if (closing.signal.aborted) return Promise.resolve(false);
		fetching ??= fetchOnce().finally(() => {
			fetching = undefined;
		});
		return fetching;
	}

	return {
		/** Starts repeated fetches at once, until `close()`. */
		start: (): void => {
			if (closing.signal.aborted) return;
			loop ??= startRetryLoop({
				step: async () => ((await refresh()) ? deps.pauseMs : undefined),
				backoffMaxMs: deps.backoffMaxMs,
				random: deps.random,
				unref: true,
			});
		},
		/** Fetches now, or joins the fetch in progress. Resolves to whether it succeeded; false once closed. */
		refresh,
		busy: () => fetching !== undefined,
		status: () => ({ ...ended, stale: deps.isStale(ended) }),
		close: (reason: string): void => {
			closing.abort(new Error(reason));
			void loop?.stop();
		},
	};
}
