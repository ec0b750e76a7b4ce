import type { IncomingMessage } from 'node:http';
import { apiError } from '@paddock/contract';
import { isOfficer } from '@paddock/identity';
import { clientNetwork } from '@paddock/service';
import type { GatewayConfig } from '../config/config.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Step } from '../exchange/pipeline.ts';
import type { GatewayMetrics } from '../metrics/metrics.ts';
import { refreshPath, signInBuckets } from './sign-in-buckets.ts';

type RatePolicy = keyof ReturnType<typeof limitsOf>;

export interface RateBucket {
	readonly policy: RatePolicy;
	readonly key: string;
}

export interface LimitedBucket extends RateBucket {
	readonly limit: number;
}

export interface RateCount {
	/** Requests in the current minute, this one included; more than the limit: this one is refused. 0: it was not counted. */
	readonly requests: number;
	/** Milliseconds until the minute ends; it began with the first request. */
	readonly resetMs: number;
}

export interface RateCounts {
	/**
	 * Counts one request in each bucket, in this order, up to the first whose limit it exceeds. While the last one is at its
	 * limit, nothing is counted in the others: a client could have a counter for each token that it invents.
	 * @returns one count for each bucket that was reached
	 */
	add(buckets: readonly LimitedBucket[]): Promise<readonly RateCount[]>;
}

export const windowMs = 60_000;

interface Quota {
	readonly limit: number;
	readonly remaining: number;
	readonly resetMs: number;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** Multiple of the sign-in limit for all requests from one address that carry tokens, real or invented. */
const addressFactor = 10;
/** Multiple of the anonymous limit for the files of the portal, of which a page loads a dozen. */
const assetFactor = 10;
const assetPrefix = '/assets/';

/** Limits requests by user if one is signed in, else by address. */
export function createRateLimiter(deps: {
	readonly config: GatewayConfig;
	readonly counts: RateCounts;
	readonly metrics: GatewayMetrics;
}) {
	const { metrics } = deps;
	const limits = limitsOf(deps.config);
	const limited = (exchange: Exchange, req: IncomingMessage) =>
		((req.method === 'POST' ? signInBuckets(exchange, req) : undefined) ?? [bucketOf(exchange)])
			.map(({ policy, key }) => ({ policy, key, limit: limits[policy] }))
			.filter(({ limit }) => limit > 0);
	return {
		/** Counts one request and adds the `RateLimit-*` headers to its response. @throws ApiError RATE_LIMITED */
		take: async (exchange: Exchange, req: IncomingMessage): Promise<undefined> => {
			const buckets = limited(exchange, req);
			if (buckets.length === 0) return;
			const counts = await deps.counts.add(buckets);
			let lowest: Quota | undefined;
			for (let index = 0; index < counts.length; index += 1) {
				const { policy, limit } = buckets[index] as LimitedBucket;
				const { requests, resetMs } = counts[index] as RateCount;
				if (requests === 0) continue;
				const quota = { limit, remaining: Math.max(0, limit - requests), resetMs };
				if (requests > limit) {
					addHeaders(exchange, quota);
					metrics.countRateLimit(policy, 'limited');
					throw apiError('RATE_LIMITED', { retryAfterMs: resetMs });
				}
				metrics.countRateLimit(policy, 'allowed');
				if (lowest === undefined || quota.remaining < lowest.remaining) lowest = quota;
			}
			if (lowest !== undefined) addHeaders(exchange, lowest);
		},
	};
}

/** Counts every request except refreshes. */
export function rateLimit(limiter: RateLimiter): Step {
	return function rateLimit(exchange, req) {
		return isRefresh(exchange, req) ? undefined : limiter.take(exchange, req);
	};
}

/** Counts refreshes: by the token in the body, which must have been read. */
export function refreshRateLimit(limiter: RateLimiter): Step {
	return function refreshRateLimit(exchange, req) {
		return isRefresh(exchange, req) ? limiter.take(exchange, req) : undefined;
	};
}

/** Whether the request is counted after its body has been read. Without the auth context no step reads it. */
function isRefresh({ path, context }: Exchange, req: IncomingMessage): boolean {
	return req.method === 'POST' && path === refreshPath && context !== undefined;
}

export function ratePoliciesOf(config: GatewayConfig): readonly string[] {
	return Object.entries(limitsOf(config)).flatMap(([policy, limit]) => (limit > 0 ? [policy] : []));
}

/** Requests a minute by policy; 0 = no limit. */
function limitsOf(config: GatewayConfig) {
	const signIn = config.RATE_LIMIT_SIGN_IN;
	return {
		signIn,
		deviceSignIn: signIn,
		deviceSignIns: addressFactor * signIn,
		accountMail: signIn,
		claim: signIn,
		refresh: signIn,
		refreshes: addressFactor * signIn,
		assets: assetFactor * config.RATE_LIMIT_ANONYMOUS,
		anonymous: config.RATE_LIMIT_ANONYMOUS,
		user: config.RATE_LIMIT_USER,
		officer: config.RATE_LIMIT_OFFICER,
	};
}

function bucketOf({ path, principal, client }: Exchange): RateBucket {
	// Separate, so that people who share an address and open the portal don't use up the requests of their programs.
	if (path.startsWith(assetPrefix)) return { policy: 'assets', key: clientNetwork(client.address) };
	if (principal === undefined) return { policy: 'anonymous', key: clientNetwork(client.address) };
	return { policy: isOfficer(principal) ? 'officer' : 'user', key: principal.userId };
}

function addHeaders({ gatewayHeaders }: Exchange, { limit, remaining, resetMs }: Quota): void {
	gatewayHeaders.add('RateLimit-Limit', String(limit));
	gatewayHeaders.add('RateLimit-Remaining', String(remaining));
	gatewayHeaders.add('RateLimit-Reset', String(Math.max(1, Math.ceil(resetMs / 1000))));
}

interface Window {
	requests: number;
	readonly endsAtMs: number;
}

/** Counts in this process's memory. @param nowMs monotonic milliseconds */
export function memoryCounts(nowMs: () => number): RateCounts {
	const windows = createRecentMap<Window>({ periodMs: windowMs, nowMs });
	const nameOf = ({ policy, key }: LimitedBucket) => `${policy}:${key}`;
	const currentWindow = (name: string, atMs: number): Window | undefined => {
		const known = windows.get(name);
		return known !== undefined && known.endsAtMs > atMs ? known : undefined;
	};
	const count = (bucket: LimitedBucket): RateCount => {
		const [name, atMs] = [nameOf(bucket), nowMs()];
		const window = currentWindow(name, atMs) ?? { requests: 0, endsAtMs: atMs + windowMs };
		if (window.requests === 0) windows.set(name, window);
		window.requests += 1;
		return { requests: window.requests, resetMs: window.endsAtMs - atMs };
	};
	const isAtLimit = (bucket: LimitedBucket): boolean =>
		(currentWindow(nameOf(bucket), nowMs())?.requests ?? 0) >= bucket.limit;
	return { add: (buckets) => countInOrder(buckets, count, isAtLimit) };
}

const notCounted: RateCount = { requests: 0, resetMs: 0 };

export async function countInOrder(
	buckets: readonly LimitedBucket[],
	count: (bucket: LimitedBucket) => RateCount | Promise<RateCount>,
	isAtLimit: (bucket: LimitedBucket) => boolean | Promise<boolean>,
): Promise<RateCount[]> {
	const last = buckets.length - 1;
	const shared = buckets[last];
	const isRefused = last > 0 && shared !== undefined && (await isAtLimit(shared));
	const counts: RateCount[] = [];
	for (const [at, bucket] of buckets.entries()) {
		const counted = isRefused && at < last ? notCounted : await count(bucket);
		counts.push(counted);
		if (counted.requests > bucket.limit) break;
	}
	return counts;
}

/** Milliseconds of the machine's monotonic clock, the same in all its processes. */
export function monotonicMs(): number {
	const [seconds, nanoseconds] = process.hrtime();
	return seconds * 1_000 + nanoseconds / 1_000_000;
}

/** Drops entries that were not used for one to two periods, without a timer for each and without searching for them. */
export function createRecentMap<T>(deps: {
	readonly periodMs: number;
	/** Monotonic milliseconds. */
	readonly nowMs: () => number;
}) {
	let recent = new Map<string, T>();
	let older = new Map<string, T>();
	let rotatesAtMs = Number.NEGATIVE_INFINITY;
	return {
		get: (key: string) => {
			const atMs = deps.nowMs();
			if (atMs >= rotatesAtMs) {
				older = recent;
				recent = new Map();
				rotatesAtMs = atMs + deps.periodMs;
			}
			const entry = recent.get(key);
			if (entry !== undefined) return entry;
			const old = older.get(key);
			if (old !== undefined) recent.set(key, old);
			return old;
		},
		set: (key: string, value: T): void => {
			recent.set(key, value);
		},
	};
}
