import { type RateCount, windowMs } from '../limits/rate-limit.ts';
import type { PermitRequest } from './permit-pool.ts';

/** A counter, as a worker knows it. Times are those of the monotonic clock of the machine. */
export interface Bucket {
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

export function newBucket(name: string, limit: number): Bucket {
	const window = { permits: 0, remaining: 0, endsAtMs: 0, reportedAtMs: 0, isAlone: false };
	return { name, limit, ...window, waiting: [], isRequesting: false };
}

/** Counts a request; undefined if it needs a permit of the primary process. */
export function take(bucket: Bucket, atMs: number): RateCount | undefined {
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
export function takeAlone(bucket: Bucket, atMs: number): RateCount {
	if (bucket.endsAtMs <= atMs) {
		bucket.endsAtMs = atMs + windowMs;
		bucket.remaining = bucket.limit;
	}
	bucket.permits = 0;
	bucket.isAlone = true;
	return countIn(bucket, bucket.endsAtMs - atMs);
}

/** Whether the present window is counted without the primary process. */
export function isCountedAlone({ isAlone, endsAtMs }: Bucket, atMs: number): boolean {
	return isAlone && endsAtMs > atMs;
}

function countIn(bucket: Bucket, resetMs: number): RateCount {
	// No permit can become free again in this window.
	if (bucket.remaining === 0) return { requests: bucket.limit + 1, resetMs };
	bucket.remaining -= 1;
	return { requests: bucket.limit - bucket.remaining, resetMs };
}

/** Whether a request would be refused without a message. */
export function isAtLimit({ remaining, endsAtMs }: Bucket, atMs: number): boolean {
	return remaining === 0 && endsAtMs > atMs;
}

/** The request for permits to admit those that wait; returns the present ones. */
export function requestOf(bucket: Bucket, atMs: number): PermitRequest {
	const { name, limit, waiting, permits, endsAtMs } = bucket;
	bucket.permits = 0;
	const unused = endsAtMs > atMs ? permits : 0;
	return { bucket: name, limit, wanted: waiting.length, unused };
}
