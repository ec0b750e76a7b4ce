import type { CallingRequest } from '@paddock/peers';
import type { Logger } from '@paddock/telemetry';
import { LRUCache } from 'lru-cache';
import type { Directory } from './directory.ts';
import type { MemberRecord } from './records.ts';

/** Members that may be named in public: not deleted, and with consent. */
export interface Publicity {
	/** At most one minute old. An id that is not resolved in time counts as not namable. */
	namable(
		ids: readonly string[],
		context: Pick<CallingRequest, 'requestId' | 'traceparent'>,
	): Promise<ReadonlySet<string>>;
}

interface PublicityDeps {
	readonly members: Directory['members'];
	readonly logger: Logger;
	readonly now: () => Date;
}

interface Pending {
	readonly ended: Promise<void>;
	/** By the monotonic clock. */
	readonly waitUntilMs: number;
}

const idsMax = 10_000;
// LRUCache returns an item until its age exceeds the TTL.
const ttlMs = 60_000 - 1;
/** Maximum wait of a public read for a lookup. The lookup continues and serves later reads. */
const waitMs = 300;
/** Pause of calls to members after a failed lookup. */
const pauseMs = 5_000;
const lookupMs = 5_000;

export function createPublicity({ members, logger, now }: PublicityDeps): Publicity {
	const perf = { now: () => now().getTime() };
	const known = new LRUCache<string, boolean>({ max: idsMax, ttl: ttlMs, ttlResolution: 0, perf });
	const pending = new Map<string, Pending>();
	let pausedUntilMs = 0;
	let latestMs = 0;
	/** If the clock was set back, results and the pause would last until it shows that time again. */
	const forgetIfSetBack = (): void => {
		const atMs = now().getTime();
		if (atMs < latestMs) {
			known.clear();
			pausedUntilMs = 0;
		}
		latestMs = atMs;
	};
	const lookUp = async (ids: readonly string[], context: CallingRequest): Promise<void> => {
		try {
			const found = await members(ids, context);
			for (const id of ids) known.set(id, isNamable(found.get(id)));
		} catch (error) {
			pausedUntilMs = now().getTime() + pauseMs;
			logger.warn('officials left out of public views', { cause: error });
		} finally {
			for (const id of ids) pending.delete(id);
		}
	};
	return {
		namable: async (ids, { requestId, traceparent }) => {
			forgetIfSetBack();
			const missing = [...new Set(ids)].filter((id) => !known.has(id));
			const uncalled = missing.filter((id) => !pending.has(id));
			if (uncalled.length > 0 && now().getTime() >= pausedUntilMs) {
				// Not the caller's signal: other requests wait for the same lookup.
				const signal = AbortSignal.timeout(lookupMs);
				const ended = lookUp(uncalled, { requestId, traceparent, signal });
				const waitUntilMs = performance.now() + waitMs;
				for (const id of uncalled) pending.set(id, { ended, waitUntilMs });
			}
			await waitFor(missing.flatMap((id) => pending.get(id) ?? []));
			return new Set(ids.filter((id) => known.get(id) === true));
		},
	};
}

function isNamable(member: MemberRecord | undefined): boolean {
	return member !== undefined && member.status !== 'INACTIVE' && member.publishResults;
}

/** When all lookups have ended or their wait times have passed. A lookup logs its failure and never rejects. */
async function waitFor(lookups: readonly Pending[]): Promise<void> {
	const leftMs = Math.max(0, ...lookups.map(({ waitUntilMs }) => waitUntilMs - performance.now()));
	if (leftMs === 0) return;
	const { promise: waited, resolve } = Promise.withResolvers<void>();
	const timer = setTimeout(resolve, leftMs).unref();
	await Promise.race([Promise.all(lookups.map(({ ended }) => ended)), waited]);
	clearTimeout(timer);
}
