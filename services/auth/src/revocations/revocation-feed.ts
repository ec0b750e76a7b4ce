import { setTimeout as wait } from 'node:timers/promises';
import type { RevocationPage } from '@paddock/identity';
import { unlessAborted, withDeadline } from '@paddock/resilience';
import type { AuthDatabase } from '../database-schema.ts';
import { type FeedPosition, latestPosition, listRevocations } from './store.ts';

export interface RevocationFeed {
	/**
	 * Returns the revocations after a cursor. If there are none, waits up to `waitMs` for the first one. Without a
	 * cursor, or with a cursor of another database, returns all stored revocations immediately.
	 */
	page(request: {
		readonly after: string | undefined;
		readonly waitMs: number;
		readonly signal: AbortSignal;
	}): Promise<RevocationPage>;
	/** Ends all waits, so that they don't delay shutdown. */
	close(): void;
}

interface RevocationFeedDeps {
	readonly db: AuthDatabase;
	/**
	 * Interval of database reads while readers wait. Other instances revoke too, so an in-process signal isn't enough.
	 */
	readonly pollMs?: number;
	/** Maximum number of waiting readers; further ones get a response immediately. */
	readonly waitingMax?: number;
}

const pageSizeMax = 5_000;
const pollTimeoutMs = 2_000;

export function createRevocationFeed({
	db,
	pollMs = 250,
	waitingMax = 500,
}: RevocationFeedDeps): RevocationFeed {
	const closing = new AbortController();
	let polling: Promise<FeedPosition> | undefined;
	let waiting = 0;

	/** All waiting readers share one read, so it has a deadline of its own. */
	function nextPosition(): Promise<FeedPosition> {
		polling ??= wait(pollMs)
			.then(() => withDeadline(pollTimeoutMs, () => latestPosition(db)))
			.finally(() => {
				polling = undefined;
			});
		return polling;
	}

	async function waitForChange(from: FeedPosition, waitMs: number, signal: AbortSignal): Promise<void> {
		const ended = new AbortController();
		const timer = setTimeout(() => ended.abort(), waitMs);
		const end = AbortSignal.any([ended.signal, signal, closing.signal]);
		waiting += 1;
		try {
			while (!end.aborted) {
				// The reader's own read, with its own deadline, follows also if this one hangs.
				const { feedId, position } = await unlessAborted(nextPosition(), end);
				if (feedId !== from.feedId || position !== from.position) return;
			}
		} catch (error) {
			if (!end.aborted) throw error;
		} finally {
			waiting -= 1;
			clearTimeout(timer);
		}
	}

	return {
		page: async ({ after, waitMs, signal }) => {
			const latest = await latestPosition(db);
			const from = positionOf(after, latest);
			const isCurrent = from.position === latest.position;
			if (after !== undefined && isCurrent && waiting < waitingMax) await waitForChange(from, waitMs, signal);
			return readPage(db, from);
		},
		close: () => closing.abort(),
	};
}

async function readPage(db: AuthDatabase, from: FeedPosition): Promise<RevocationPage> {
	// Read the position first: a revocation between the two reads then belongs to the next page.
	const latest = await latestPosition(db);
	const rows = await listRevocations(db, from.position, pageSizeMax);
	const more = rows.length === pageSizeMax;
	const last = rows.at(-1)?.position ?? latest.position;
	return {
		items: rows.map(({ subject, before }) => ({ subject, before })),
		next: `${latest.feedId}.${more ? last : Math.max(last, latest.position)}`,
		more,
	};
}

/** Position of a cursor; 0 for a cursor that this feed can't have issued. */
function positionOf(cursor: string | undefined, latest: FeedPosition): FeedPosition {
	const [feedId, digits = ''] = (cursor ?? '').split('.');
	const position = /^\d{1,15}$/.test(digits) ? Number(digits) : 0;
	const isOurs = feedId === latest.feedId && position <= latest.position;
	return { feedId: latest.feedId, position: isOurs ? position : 0 };
}
