import type { FetchRevocations } from './fetch-revocations-from.ts';
import type { KeySetLogger } from './key-set.ts';
import { openRefresher, type RefreshStatus } from './refresher.ts';
import { createRevocationList, type Revocations } from './revocation-list.ts';

export interface FollowedRevocations extends Revocations {
	/** Starts following the feed at once, until `close()`. */
	start(): void;
	/** Whether the list has been complete at least once. */
	ready(): boolean;
	/** Fetches now, or joins the fetch in progress. Resolves to whether a page arrived. */
	refresh(): Promise<boolean>;
	/** Stale if revocations may be missing: no response for longer than `staleAfterMs`. */
	status(): RefreshStatus;
	close(): void;
}

interface FollowedRevocationsDeps {
	readonly fetchPage: FetchRevocations;
	readonly now: () => Date;
	readonly logger: KeySetLogger;
	readonly random?: () => number;
	/** How long a response may wait for a first entry. */
	readonly waitMs?: number;
	/** Time-out of one fetch, in addition to `waitMs`. */
	readonly timeoutMs?: number;
	/** The list is stale after this long without a response; must exceed one wait and a second attempt. */
	readonly staleAfterMs?: number;
}

// Prevents a tight loop if an instance responds without waiting.
const pauseMs = 50;
const retryMsMax = 1_000;

/** Follows the revocations published by auth, by long polling any instance that responds. */
export function followRevocations(deps: FollowedRevocationsDeps): FollowedRevocations {
	const { fetchPage, now, logger, waitMs = 2_000, staleAfterMs = 5_000 } = deps;
	const timeoutMs = waitMs + (deps.timeoutMs ?? 1_000);
	const list = createRevocationList({ now });
	let after: string | undefined;
	let caughtUp = false;
	const isStale = ({ lastResponseAt, lastError }: Omit<RefreshStatus, 'stale'>): boolean => {
		if (!caughtUp || lastResponseAt === undefined) return true;
		const ageMs = now().getTime() - lastResponseAt.getTime();
		// Less than 0 if the clock was set back; the next response corrects the time.
		return ageMs > staleAfterMs || (ageMs < 0 && lastError !== undefined);
	};

	const refresher = openRefresher({
		fetch: (signal) => fetchPage({ after, waitMs, timeoutMs }, signal),
		accept: (page) => {
			list.add(page.items);
			after = page.next;
			caughtUp ||= !page.more;
		},
		isStale,
		messages: { lost: 'revocation feed lost', recovered: 'revocation feed recovered' },
		timeoutMs,
		pauseMs,
		backoffMaxMs: retryMsMax,
		random: deps.random ?? Math.random,
		now,
		logger,
	});

	return {
		onAdded: list.onAdded,
		isRevoked: list.isRevoked,
		start: refresher.start,
		ready: () => caughtUp,
		refresh: refresher.refresh,
		status: refresher.status,
		close: () => refresher.close('The revocation feed is closed.'),
	};
}
