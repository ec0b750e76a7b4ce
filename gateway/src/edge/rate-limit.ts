import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { apiError } from '@paddock/contract';
import { isOfficer } from '@paddock/identity';
import type { Redis } from '@paddock/redis';
import type { GatewayConfig } from '../config.ts';
import { type Exchange, exchangeOf } from '../exchange.ts';
import type { GatewayMetrics } from '../metrics.ts';
import type { Step } from '../pipeline.ts';
import { clientNetwork } from './client-network.ts';
import { type LimitedBucket, type RateCount, type RateCounts, redisCounts } from './rate-counts.ts';
import { releaseUnlessPassed } from './request-body.ts';

export const ratePolicies = [
	'signIn',
	'deviceSignIn',
	'deviceSignIns',
	'refresh',
	'refreshes',
	'assets',
	'anonymous',
	'user',
	'officer',
] as const;

type RatePolicy = (typeof ratePolicies)[number];

/** Requests a minute; 0 = no limit. */
type RateLimits = Readonly<Record<RatePolicy, number>>;

/** The counter of a client. */
interface Bucket {
	readonly policy: RatePolicy;
	readonly key: string;
}

/** What remains of a limit after a request. */
interface Quota {
	readonly limit: number;
	readonly remaining: number;
	readonly resetMs: number;
}

export interface RateLimiter {
	/** Counts one request and adds the `RateLimit-*` headers to its response. @throws ApiError RATE_LIMITED */
	take(req: IncomingMessage): Promise<undefined>;
}

/** Multiple of the sign-in limit for all requests from one address that carry tokens, real or invented. */
const addressFactor = 10;
/** Multiple of the anonymous limit for the files of the portal, of which a page loads a dozen. */
const assetFactor = 10;
const assetPrefix = '/assets/';
const deviceTokenFormat = /^[\w-]{43}$/;
/** A body with a refresh token is far shorter; larger ones are not worth parsing here. */
const refreshBytesMax = 8_192;
const refreshPath = '/auth/refresh';

/** Limits requests by user if one is signed in, else by address, and counts them in Redis if there is one. */
export function createRateLimiter(deps: {
	readonly config: GatewayConfig;
	readonly redis: Redis | undefined;
	/** Counts without Redis, and while it is unavailable. */
	readonly memory: RateCounts;
	readonly metrics: GatewayMetrics;
}): RateLimiter {
	const { redis, memory, metrics } = deps;
	const limits = limitsOf(deps.config);
	const counter =
		redis === undefined ? memory : redisCounts({ redis, memory, onFallback: metrics.countRateLimitFallback });
	const limited = (req: IncomingMessage, exchange: Exchange) =>
		(signInBuckets(req) ?? [bucketOf(exchange)])
			.map(({ policy, key }) => ({ policy, key, limit: limits[policy] }))
			.filter(({ limit }) => limit > 0);
	return {
		take: async (req) => {
			const exchange = exchangeOf(req);
			const buckets = limited(req, exchange);
			if (buckets.length === 0) return;
			const counts = await counter.add(buckets);
			let lowest: Quota | undefined;
			for (let index = 0; index < counts.length; index += 1) {
				const { policy, limit } = buckets[index] as LimitedBucket;
				const { requests, resetMs } = counts[index] as RateCount;
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
	return function rateLimit(req) {
		return isRefresh(req) ? undefined : limiter.take(req);
	};
}

/** Counts refreshes: by the token in the body, which must have been read. */
export function refreshRateLimit(limiter: RateLimiter): Step {
	return function refreshRateLimit(req, res) {
		return isRefresh(req) ? releaseUnlessPassed(req, res, limiter.take(req)) : undefined;
	};
}

/** Whether the request is counted after its body has been read. Without the auth context no step reads it. */
function isRefresh(req: IncomingMessage): boolean {
	const { path, context } = exchangeOf(req);
	return req.method === 'POST' && path === refreshPath && context !== undefined;
}

function limitsOf(config: GatewayConfig): RateLimits {
	const signIn = config.RATE_LIMIT_SIGN_IN;
	return {
		signIn,
		deviceSignIn: signIn,
		deviceSignIns: addressFactor * signIn,
		refresh: signIn,
		refreshes: addressFactor * signIn,
		assets: assetFactor * config.RATE_LIMIT_ANONYMOUS,
		anonymous: config.RATE_LIMIT_ANONYMOUS,
		user: config.RATE_LIMIT_USER,
		officer: config.RATE_LIMIT_OFFICER,
	};
}

function bucketOf({ path, principal, clientAddress }: Exchange): Bucket {
	// Separate, so that people who share an address and open the portal don't use up the requests of their programs.
	if (path.startsWith(assetPrefix)) return { policy: 'assets', key: clientNetwork(clientAddress) };
	if (principal === undefined) return { policy: 'anonymous', key: clientNetwork(clientAddress) };
	return { policy: isOfficer(principal) ? 'officer' : 'user', key: principal.userId };
}

/**
 * The buckets of a request to sign in; undefined for any other request. All of them must allow it, in this order: a
 * request that the bucket of its own token refuses uses up nothing of the one that its whole address shares.
 * - without a device token, and registrations: by address;
 * - with a device token: by address and token, then by address. The gateway doesn't know which tokens are real; the
 *   second bucket bounds what invented ones gain;
 * - a refresh: by its token, then by address. The token is in the body, so the body must have been read.
 */
function signInBuckets(req: IncomingMessage): readonly Bucket[] | undefined {
	if (req.method !== 'POST') return undefined;
	const { path, clientAddress, body } = exchangeOf(req);
	const network = () => clientNetwork(clientAddress);
	if (path === '/auth/register') return [{ policy: 'signIn', key: network() }];
	if (path === '/auth/login') return loginBuckets(req.headers['x-device-token'], network());
	if (path !== refreshPath) return undefined;
	const token = refreshToken(body?.bytes);
	const ofAddress = { policy: 'refreshes', key: network() } as const;
	return token === undefined ? [ofAddress] : [{ policy: 'refresh', key: digest(token) }, ofAddress];
}

function loginBuckets(token: string | string[] | undefined, network: string): readonly Bucket[] {
	if (typeof token !== 'string' || !deviceTokenFormat.test(token))
		return [{ policy: 'signIn', key: network }];
	return [
		{ policy: 'deviceSignIn', key: `${network} ${digest(token)}` },
		{ policy: 'deviceSignIns', key: network },
	];
}

function refreshToken(body: Buffer | undefined): string | undefined {
	if (body === undefined || body.length > refreshBytesMax) return undefined;
	try {
		const { refreshToken: token } = JSON.parse(body.toString()) as { refreshToken?: unknown };
		return typeof token === 'string' ? token : undefined;
	} catch {
		// Not JSON, or null: auth refuses it, and only the address is counted.
		return undefined;
	}
}

function digest(token: string): string {
	return hash('sha256', token, 'base64url');
}

function addHeaders({ ownHeaders }: Exchange, { limit, remaining, resetMs }: Quota): void {
	ownHeaders.add('RateLimit-Limit', String(limit));
	ownHeaders.add('RateLimit-Remaining', String(remaining));
	ownHeaders.add('RateLimit-Reset', String(Math.max(1, Math.ceil(resetMs / 1000))));
}
