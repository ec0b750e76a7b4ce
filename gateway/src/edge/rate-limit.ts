import type { IncomingMessage } from 'node:http';
import { apiError } from '@paddock/contract';
import { hasRole, type Principal } from '@paddock/identity';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type Exchange, exchangeOf } from '../exchange.ts';
import type { Step } from '../pipeline.ts';
import { clientNetwork } from './client-network.ts';
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

const windowSeconds = 60;

/** Multiple of the sign-in limit for all requests from one address that carry tokens, real or invented. */
const addressFactor = 10;

interface Bucket {
	readonly policy: RatePolicy;
	readonly key: string;
}

/** The state of a bucket after a request. */
interface Quota {
	readonly limit: number;
	readonly state: RateLimiterRes;
}

export interface RateLimiter {
	/** Counts one request and adds the `RateLimit-*` headers to its response. @throws ApiError RATE_LIMITED */
	take(req: IncomingMessage): Promise<void>;
}

/** Limits in this process's memory, by user if one is signed in, else by address. */
export function createRateLimiter(deps: {
	limits: RateLimits;
	onTaken: (policy: RatePolicy, outcome: RateOutcome) => void;
}): RateLimiter {
	const limiters = limitersFor(deps.limits);
	const consume = async ({ policy, key }: Bucket, exchange: Exchange): Promise<Quota | undefined> => {
		const limiter = limiters.get(policy);
		if (limiter === undefined) return undefined;
		try {
			const state = await limiter.consume(key);
			deps.onTaken(policy, 'allowed');
			return { limit: limiter.points, state };
		} catch (refused) {
			if (!(refused instanceof RateLimiterRes)) throw refused;
			addHeaders(exchange, { limit: limiter.points, state: refused });
			deps.onTaken(policy, 'limited');
			throw apiError('RATE_LIMITED', { retryAfterMs: refused.msBeforeNext });
		}
	};
	return {
		take: async (req) => {
			const exchange = exchangeOf(req);
			let lowest: Quota | undefined;
			for (const bucket of signInBuckets(req) ?? [bucketOf(exchange)]) {
				const quota = await consume(bucket, exchange);
				if (lowest === undefined || (quota !== undefined && remaining(quota) < remaining(lowest)))
					lowest = quota;
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

function limitersFor({ signIn, ...limits }: RateLimits): ReadonlyMap<RatePolicy, RateLimiterMemory> {
	const points: Record<RatePolicy, number> = {
		...limits,
		signIn,
		deviceSignIn: signIn,
		deviceSignIns: addressFactor * signIn,
		refresh: signIn,
		refreshes: addressFactor * signIn,
	};
	const limiters = new Map<RatePolicy, RateLimiterMemory>();
	for (const [policy, perMinute] of Object.entries(points) as [RatePolicy, number][]) {
		if (perMinute === 0) continue;
		limiters.set(
			policy,
			new RateLimiterMemory({ keyPrefix: policy, points: perMinute, duration: windowSeconds }),
		);
	}
	return limiters;
}

function bucketOf({ principal, clientAddress }: Exchange): Bucket {
	if (principal === undefined) return { policy: 'anonymous', key: clientNetwork(clientAddress) };
	return { policy: isOfficer(principal) ? 'officer' : 'user', key: principal.userId };
}

function isOfficer(principal: Principal): boolean {
	return hasRole(principal, 'FEDERATION_OFFICER', 'ADMIN');
}

function remaining({ state }: Quota): number {
	return Math.max(0, state.remainingPoints);
}

function addHeaders({ ownHeaders }: Exchange, quota: Quota): void {
	ownHeaders.add('RateLimit-Limit', String(quota.limit));
	ownHeaders.add('RateLimit-Remaining', String(remaining(quota)));
	ownHeaders.add('RateLimit-Reset', String(Math.max(1, Math.ceil(quota.state.msBeforeNext / 1000))));
}
