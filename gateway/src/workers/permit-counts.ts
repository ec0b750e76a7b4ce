import type { Logger } from '@paddock/telemetry';
import {
	countInOrder,
	createRecentMap,
	type LimitedBucket,
	type RateCount,
	type RateCounts,
	windowMs,
} from '../limits/rate-limit.ts';
import type { PermitGrant, PermitRequest } from './permit-pool.ts';

/** The permit pool of the primary process; rejects if that does not respond. */
interface RemotePermits {
	grant(requests: readonly PermitRequest[]): Promise<readonly PermitGrant[]>;
}

interface PermitDeps {
	readonly primary: RemotePermits;
	/** As in the primary process. */
	readonly nowMs: () => number;
	readonly logger: Logger;
}

/** Counts with permits of the primary process, so that a limit holds for all workers together and most requests need no message. */
export function permitCounts(deps: PermitDeps): RateCounts {
	const { nowMs } = deps;
	const buckets = createRecentMap<Bucket>({ periodMs: 2 * windowMs, nowMs });
	const takeFromPrimary = createPermitRequests(deps);
	const nameOf = ({ policy, key }: LimitedBucket) => `${policy}:${key}`;
	const bucketOf = (limited: LimitedBucket): Bucket => {
		const name = nameOf(limited);
		const known = buckets.get(name);
		if (known !== undefined) return known;
		const bucket = newBucket(name, limited.limit);
		buckets.set(name, bucket);
		return bucket;
	};
	const count = (limited: LimitedBucket) => {
		const bucket = bucketOf(limited);
		return take(bucket, nowMs()) ?? takeFromPrimary(bucket);
	};
	const refuses = (limited: LimitedBucket): boolean => {
		const known = buckets.get(nameOf(limited));
		return known !== undefined && isAtLimit(known, nowMs());
	};
	return { add: (limited) => countInOrder(limited, count, refuses) };
}

/** Requests permits and counts with them, or alone without the primary process. One event-loop iteration sends one message. */
function createPermitRequests(deps: PermitDeps): (bucket: Bucket) => Promise<RateCount> {
	const { primary, nowMs, logger } = deps;
	let queued: Bucket[] = [];
	let isAlone = false;
	let isProbing = false;
	const request = (bucket: Bucket): void => {
		bucket.isRequesting = true;
		if (queued.length === 0) setImmediate(() => void send());
		queued.push(bucket);
	};
	const send = async (): Promise<void> => {
		const batch = queued;
		queued = [];
		await respondingOrAlone(batch, async () => {
			const grants = await primary.grant(batch.map((bucket) => requestOf(bucket, nowMs())));
			for (const [at, bucket] of batch.entries()) {
				serve(bucket, grants[at] as PermitGrant);
			}
		});
	};
	const serveAlone = (bucket: Bucket): void => {
		bucket.isRequesting = false;
		for (const resolve of bucket.waiting.splice(0)) resolve(takeAlone(bucket, nowMs()));
	};
	const serve = (bucket: Bucket, grant: PermitGrant): void => {
		const atMs = nowMs();
		// Another message failed in the meantime; the grant doesn't include the requests that were counted since.
		if (isCountedAlone(bucket, atMs)) {
			serveAlone(bucket);
			return;
		}
		Object.assign(bucket, grant, { isAlone: false, isRequesting: false, reportedAtMs: atMs });
		while (bucket.waiting.length > 0) {
			const count = take(bucket, atMs);
			if (count === undefined) {
				request(bucket);
				return;
			}
			bucket.waiting.shift()?.(count);
		}
	};
	const respondingOrAlone = async (batch: readonly Bucket[], call: () => Promise<void>): Promise<void> => {
		try {
			await call();
		} catch (error) {
			if (!isAlone) logger.warn('rate limits are counted by this worker alone', { error });
			isAlone = true;
			for (const bucket of batch) serveAlone(bucket);
		}
	};
	const probe = async (): Promise<void> => {
		isProbing = true;
		try {
			await primary.grant([]);
			isAlone = false;
			logger.info('rate limits are counted by the primary process again');
		} catch {
			// Still alone; the next request probes again.
		}
		isProbing = false;
	};
	return async (bucket) => {
		if (!isAlone && !isCountedAlone(bucket, nowMs())) {
			return await new Promise((resolve) => {
				bucket.waiting.push(resolve);
				if (!bucket.isRequesting) request(bucket);
			});
		}
		// Requests don't wait for a primary process that did not respond.
		if (isAlone && !isProbing) void probe();
		return takeAlone(bucket, nowMs());
	};
}

/** A counter, as a worker knows it. Times are those of the monotonic clock of the machine. */
interface Bucket {
	readonly name: string;
	readonly limit: number;
	/** Requests that the worker may still admit by itself in this window. */
	permits: number;
	/** Requests until the limit. Never too low, as only requests that other workers have admitted can be missing. */
	remaining: number;
	endsAtMs: number;
	reportedAtMs: number;
	/** A request of the window was counted without the primary process. */
	isAlone: boolean;
	readonly waiting: ((count: RateCount) => void)[];
	isRequesting: boolean;
}

function newBucket(name: string, limit: number): Bucket {
	const window = { permits: 0, remaining: 0, endsAtMs: 0, reportedAtMs: 0, isAlone: false };
	return { name, limit, ...window, waiting: [], isRequesting: false };
}

/** Counts a request; undefined if it needs a permit of the primary process. */
function take(bucket: Bucket, atMs: number): RateCount | undefined {
	const resetMs = bucket.endsAtMs - atMs;
	if (resetMs <= 0) return undefined;
	if (bucket.remaining > 0) {
		if (bucket.permits === 0 || isStale(bucket, atMs)) return undefined;
		bucket.permits -= 1;
	}
	return countIn(bucket, resetMs);
}

// Bounds the age of RateLimit-Remaining for clients that may soon reach their limit.
const staleAfterMs = 5_000;

/** Far from the limit the exact remainder does not matter, and most clients would send each request after such a time. */
function isStale({ remaining, limit, reportedAtMs }: Bucket, atMs: number): boolean {
	return remaining < limit / 2 && atMs - reportedAtMs >= staleAfterMs;
}

/** Counts a request without the primary process, and so the rest of the window: `remaining` would otherwise increase. */
function takeAlone(bucket: Bucket, atMs: number): RateCount {
	if (bucket.endsAtMs <= atMs) {
		bucket.endsAtMs = atMs + windowMs;
		bucket.remaining = bucket.limit;
	}
	bucket.permits = 0;
	bucket.isAlone = true;
	return countIn(bucket, bucket.endsAtMs - atMs);
}

/** Whether the present window is counted without the primary process. */
function isCountedAlone({ isAlone, endsAtMs }: Bucket, atMs: number): boolean {
	return isAlone && endsAtMs > atMs;
}

function countIn(bucket: Bucket, resetMs: number): RateCount {
	// No permit can become free again in this window.
	if (bucket.remaining === 0) return { requests: bucket.limit + 1, resetMs };
	bucket.remaining -= 1;
	return { requests: bucket.limit - bucket.remaining, resetMs };
}

/** Whether a request would be refused without a message. */
function isAtLimit({ remaining, endsAtMs }: Bucket, atMs: number): boolean {
	return remaining === 0 && endsAtMs > atMs;
}

/** The request for permits to admit those that wait; returns the present ones. */
function requestOf(bucket: Bucket, atMs: number): PermitRequest {
	const { name, limit, waiting, permits, endsAtMs } = bucket;
	bucket.permits = 0;
	const unused = endsAtMs > atMs ? permits : 0;
	return { bucket: name, limit, wanted: waiting.length, unused };
}
