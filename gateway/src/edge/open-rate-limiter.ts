import type { Redis } from '@paddock/redis';
import type { GatewayConfig } from '../config.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { type RateCounts, redisCounts } from './rate-counts.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit.ts';

export interface OpenRateLimiterDeps {
	readonly config: GatewayConfig;
	readonly redis: Redis | undefined;
	/** Counts without Redis, and while it is unavailable. */
	readonly memory: RateCounts;
	readonly metrics: GatewayMetrics;
}

/** The rate limiter with the limits of the settings, counting in Redis if there is one. */
export function openRateLimiter({ config, redis, memory, metrics }: OpenRateLimiterDeps): RateLimiter {
	return createRateLimiter({
		limits: {
			signIn: config.RATE_LIMIT_SIGN_IN,
			anonymous: config.RATE_LIMIT_ANONYMOUS,
			user: config.RATE_LIMIT_USER,
			officer: config.RATE_LIMIT_OFFICER,
		},
		counts:
			redis === undefined
				? memory
				: redisCounts({ redis, memory, onFallback: metrics.countRateLimitFallback }),
		onTaken: metrics.countRateLimit,
	});
}
