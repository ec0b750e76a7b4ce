import type { RateCount } from '../edge/rate-limit.ts';
import { msUntil, type PermitRequest } from './permit-pool.ts';

/** A counter, as a worker knows it. */
export interface Bucket {
	readonly name: string;
	readonly limit: number;
	/** Requests that the worker may still admit by itself in this window. */
	permits: number;
	/** Requests until the limit. Never too low, as only requests that other workers have admitted can be missing. */
	remaining: number;
	endsAtMs: number;
	/** From then on `remaining` is too old. */
	staleAtMs: number;
	/** Requests that wait for permits. */
	readonly waiting: ((count: RateCount | undefined) => void)[];
	isAsking: boolean;
}

export function newBucket(name: string, limit: number): Bucket {
	return { name, limit, permits: 0, remaining: 0, endsAtMs: 0, staleAtMs: 0, waiting: [], isAsking: false };
}

/** Counts a request; undefined if the primary process must be asked. */
export function take(bucket: Bucket, at: Date): RateCount | undefined {
	const atMs = at.getTime();
	const resetMs = msUntil(bucket.endsAtMs, atMs);
	if (resetMs <= 0) return undefined;
	// No permit can become free again in this window.
	if (bucket.remaining === 0) return { requests: bucket.limit + 1, resetMs };
	if (bucket.permits === 0 || atMs >= bucket.staleAtMs) return undefined;
	bucket.permits -= 1;
	bucket.remaining -= 1;
	return { requests: bucket.limit - bucket.remaining, resetMs };
}

/** The request for permits to admit those that wait; returns the present ones. */
export function requestOf(bucket: Bucket, at: Date): PermitRequest {
	const { name, limit, waiting, permits, endsAtMs } = bucket;
	bucket.permits = 0;
	const unused = msUntil(endsAtMs, at.getTime()) > 0 ? permits : 0;
	return { bucket: name, limit, wanted: waiting.length, unused };
}
