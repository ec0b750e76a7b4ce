import { fail } from '@paddock/contract';
import { hasRole, type Principal } from '@paddock/identity';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type Exchange, exchangeOf } from '../exchange.ts';
import type { Step } from '../pipeline.ts';
import { clientNetwork } from './client-network.ts';

export type RatePolicy = 'signIn' | 'anonymous' | 'user' | 'officer';

export type RateOutcome = 'allowed' | 'limited';

/** Requests a minute; 0 = no limit. */
export type RateLimits = Readonly<Record<RatePolicy, number>>;

const signInPaths: ReadonlySet<string> = new Set(['/auth/login', '/auth/register', '/auth/refresh']);
const windowSeconds = 60;

export interface RateLimiter {
	/** Counts one request and puts the `RateLimit-*` headers on the answer. @throws ApiError RATE_LIMITED */
	take(exchange: Exchange): Promise<void>;
}

/** Limits in this process's memory, by user where one is signed in, else by address. */
export function createRateLimiter(deps: {
	limits: RateLimits;
	onTaken: (policy: RatePolicy, outcome: RateOutcome) => void;
}): RateLimiter {
	const limiters = new Map<RatePolicy, RateLimiterMemory>();
	for (const policy of ['signIn', 'anonymous', 'user', 'officer'] as const) {
		const points = deps.limits[policy];
		if (points > 0)
			limiters.set(policy, new RateLimiterMemory({ keyPrefix: policy, points, duration: windowSeconds }));
	}
	return {
		take: async (exchange) => {
			const { policy, key } = policyOf(exchange);
			const limiter = limiters.get(policy);
			if (limiter === undefined) return;
			try {
				addHeaders(exchange, limiter.points, await limiter.consume(key));
				deps.onTaken(policy, 'allowed');
			} catch (refused) {
				if (!(refused instanceof RateLimiterRes)) throw refused;
				addHeaders(exchange, limiter.points, refused);
				deps.onTaken(policy, 'limited');
				throw fail('RATE_LIMITED', { retryAfterMs: refused.msBeforeNext });
			}
		},
	};
}

/** The middleware: counts every request that gets this far. */
export function rateLimit(limiter: RateLimiter): Step {
	return async function rateLimit(req): Promise<undefined> {
		await limiter.take(exchangeOf(req));
	};
}

function policyOf(exchange: Exchange): { policy: RatePolicy; key: string } {
	if (signInPaths.has(exchange.path)) return { policy: 'signIn', key: clientNetwork(exchange.clientAddress) };
	const { principal } = exchange;
	if (principal === undefined) return { policy: 'anonymous', key: clientNetwork(exchange.clientAddress) };
	return { policy: isOfficer(principal) ? 'officer' : 'user', key: principal.userId };
}

function isOfficer(principal: Principal): boolean {
	return hasRole(principal, 'FEDERATION_OFFICER', 'ADMIN');
}

function addHeaders({ answerHeaders }: Exchange, limit: number, state: RateLimiterRes): void {
	answerHeaders.add('RateLimit-Limit', String(limit));
	answerHeaders.add('RateLimit-Remaining', String(Math.max(0, state.remainingPoints)));
	answerHeaders.add('RateLimit-Reset', String(Math.max(1, Math.ceil(state.msBeforeNext / 1000))));
}
