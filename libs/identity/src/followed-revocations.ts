import { callWithin } from './call-within.ts';
import type { FetchRevocations } from './fetch-revocations-from.ts';
import type { KeySetLogger } from './key-set.ts';
import { createRefresher } from './refresher.ts';
import { createRevocationList, type Revocations } from './revocation-list.ts';

export interface RevocationFeedStatus {
	/** The time of the feed's last response; absent before the first. */
	readonly lastResponseAt?: Date;
	/** True if revocations may be missing: no response for longer than `staleAfterMs`. */
	readonly stale: boolean;
	/** The reason for the last failure; absent if the last attempt succeeded. For operators, not for clients. */
	readonly lastError?: string;
}

export interface FollowedRevocations extends Revocations {
	/** Starts following the feed at once, until `close()`. */
	start(): void;
	/** Whether the list has been complete at least once. */
	ready(): boolean;
	/**
	 * Fetches now, or joins the fetch in progress. Resolves to whether a page arrived; `status()` reports a failure.
	 */
	refresh(): Promise<boolean>;
	status(): RevocationFeedStatus;
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
const startGraceMs = 10_000;

/** Follows the revocations published by auth, by long polling any instance that responds. */
export function followRevocations(deps: FollowedRevocationsDeps): FollowedRevocations {
	const { fetchPage, now, logger, waitMs = 2_000, timeoutMs = 1_000, staleAfterMs = 5_000 } = deps;
	const list = createRevocationList({ now });
	const startedAt = now();
	let after: string | undefined;
	let caughtUp = false;
	let lastResponseAt: Date | undefined;
	let lastError: string | undefined;
	let reported = false;

	const stale = (): boolean => !caughtUp || ageMs(lastResponseAt) > staleAfterMs;
	// If the clock was set back, old data must not look fresh indefinitely; the next response corrects the time.
	const ageMs = (since: Date | undefined): number =>
		since === undefined ? Number.POSITIVE_INFINITY : Math.max(0, now().getTime() - since.getTime());

	async function fetchOnce(closed: AbortSignal): Promise<boolean> {
		try {
			const fetchNext = (signal: AbortSignal) => fetchPage({ after, waitMs }, signal);
			const page = await callWithin(fetchNext, waitMs + timeoutMs, closed);
			list.add(page.items);
			after = page.next;
			lastResponseAt = now();
			lastError = undefined;
			caughtUp ||= !page.more;
			if (reported) logger.info('revocation feed recovered', {});
			reported = false;
			return true;
		} catch (error) {
			if (closed.aborted) return false;
			lastError = error instanceof Error ? error.message : String(error);
			// Once per outage. At start-up, services start in any order.
			if (!reported && stale() && ageMs(startedAt) > startGraceMs) {
				logger.warn('revocation feed lost', { error });
				reported = true;
			}
			return false;
		}
	}

	const refresher = createRefresher({
		fetchOnce,
		pauseMs,
		backoffMaxMs: retryMsMax,
		random: deps.random ?? Math.random,
	});

	return {
		onAdded: list.onAdded,
		isRevoked: list.isRevoked,
		start: refresher.start,
		ready: () => caughtUp,
		refresh: refresher.refresh,
		status: () => ({
			stale: stale(),
			...(lastResponseAt === undefined ? {} : { lastResponseAt }),
			...(lastError === undefined ? {} : { lastError }),
		}),
		close: () => refresher.close('The revocation feed is closed.'),
	};
}
