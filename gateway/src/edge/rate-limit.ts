import type { IncomingMessage } from 'node:http';
import { apiError } from '@paddock/contract';
import { hasRole, type Principal } from '@paddock/identity';
import { type Exchange, exchangeOf } from '../exchange.ts';
import type { Step } from '../pipeline.ts';
import { clientNetwork } from './client-network.ts';
import type { LimitedBucket, RateCount, RateCounts } from './rate-counts.ts';
import { releaseUnlessPassed } from './request-body.ts';
import { isRefresh, type SignInBucket, signInBuckets } from './sign-in-buckets.ts';

export const ratePolicies = [
	'signIn',
	'deviceSignIn',
	'deviceSignIns',
	'refresh',
	'refreshes',
	'anonymous',
	'user',
	'officer',
] as const satisfies readonly ('anonymous' | 'user' | 'officer' | SignInBucket['policy'])[];

export type RatePolicy = (typeof ratePolicies)[number];

export type RateOutcome = 'allowed' | 'limited';

/** Requests a minute; 0 = no limit. */
export type RateLimits = Readonly<Record<'signIn' | 'anonymous' | 'user' | 'officer', number>>;

/** Multiple of the sign-in limit for all requests from one address that carry tokens, real or invented. */
const addressFactor = 10;

type Bucket = LimitedBucket & { readonly policy: RatePolicy };

/** What remains of a limit after a request. */
interface Quota {
	readonly limit: number;
	readonly remaining: number;
	readonly resetMs: number;
}

export interface RateLimiter {
	/** Counts one request and adds the `RateLimit-*` headers to its response. @throws ApiError RATE_LIMITED */
	take(req: IncomingMessage): Promise<void>;
}

/** Limits requests by user if one is signed in, else by address. */
export function createRateLimiter(deps: {
	limits: RateLimits;
	counts: RateCounts;
	onTaken: (policy: RatePolicy, outcome: RateOutcome) => void;
}): RateLimiter {
	const limits = limitsByPolicy(deps.limits);
	const bucketsOf = (req: IncomingMessage, exchange: Exchange): readonly Bucket[] => {
		const buckets = signInBuckets(req) ?? [bucketOf(exchange)];
		return buckets
			.map(({ policy, key }) => ({ policy, key, limit: limits[policy] }))
			.filter(({ limit }) => limit > 0);
	};
	return {
		take: async (req) => {
			const exchange = exchangeOf(req);
			const buckets = bucketsOf(req, exchange);
			if (buckets.length === 0) return;
			const counts = await deps.counts.add(buckets);
			let lowest: Quota | undefined;
			for (let index = 0; index < counts.length; index += 1) {
				const { policy, limit } = buckets[index] as Bucket;
				const { requests, resetMs } = counts[index] as RateCount;
				const quota = { limit, remaining: Math.max(0, limit - requests), resetMs };
				if (requests > limit) {
					addHeaders(exchange, quota);
					deps.onTaken(policy, 'limited');
					throw apiError('RATE_LIMITED', { retryAfterMs: resetMs });
				}
				deps.onTaken(policy, 'allowed');
				if (lowest === undefined || quota.remaining < lowest.remaining) lowest = quota;
			}
			if (lowest !== undefined) addHeaders(exchange, lowest);
		},
	};
}

/** Counts every request except refreshes. */
export function rateLimit(limiter: RateLimiter): Step {
	return async function rateLimit(req): Promise<undefined> {
		if (!isRefresh(req)) await limiter.take(req);
	};
}

/** Counts refreshes: by the token in the body, which must have been read. */
export function refreshRateLimit(limiter: RateLimiter): Step {
	return function refreshRateLimit(req, res) {
		return isRefresh(req) ? releaseUnlessPassed(req, res, limiter.take(req)) : undefined;
	};
}

/** Requests a minute; 0 = no limit. */
function limitsByPolicy({ signIn, ...limits }: RateLimits): Readonly<Record<RatePolicy, number>> {
	return {
		...limits,
		signIn,
		deviceSignIn: signIn,
		deviceSignIns: addressFactor * signIn,
		refresh: signIn,
		refreshes: addressFactor * signIn,
	};
}

function bucketOf({ principal, clientAddress }: Exchange): Omit<Bucket, 'limit'> {
	if (principal === undefined) return { policy: 'anonymous', key: clientNetwork(clientAddress) };
	return { policy: isOfficer(principal) ? 'officer' : 'user', key: principal.userId };
}

function isOfficer(principal: Principal): boolean {
	return hasRole(principal, 'FEDERATION_OFFICER', 'ADMIN');
}

function addHeaders({ ownHeaders }: Exchange, { limit, remaining, resetMs }: Quota): void {
	ownHeaders.add('RateLimit-Limit', String(limit));
	ownHeaders.add('RateLimit-Remaining', String(remaining));
	ownHeaders.add('RateLimit-Reset', String(Math.max(1, Math.ceil(resetMs / 1000))));
}
