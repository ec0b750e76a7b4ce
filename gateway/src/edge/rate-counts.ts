import { createScript, type Redis } from '@paddock/redis';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/** The counter of a client, with the number of requests a minute that it allows. */
export interface LimitedBucket {
	readonly policy: string;
	readonly key: string;
	readonly limit: number;
}

/** A counter after a request. */
export interface RateCount {
	/** Requests in the current minute, this one included; more than the limit: this one is refused. */
	readonly requests: number;
	/** Milliseconds until the minute ends; it began with the first request. */
	readonly resetMs: number;
}

export interface RateCounts {
	/**
	 * Counts one request in each bucket, in this order, up to the first whose limit it exceeds.
	 * @returns one count for each bucket that was reached
	 */
	add(buckets: readonly LimitedBucket[]): Promise<readonly RateCount[]>;
}

export const windowMs = 60_000;

/** Counts in this process's memory. */
export function memoryCounts(): RateCounts {
	// The limits are compared by the caller, so this one never refuses.
	const limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: windowMs / 1_000 });
	return {
		add: async (buckets) => {
			const counts: RateCount[] = [];
			for (const { policy, key, limit } of buckets) {
				const { consumedPoints, msBeforeNext } = await limiter.consume(`${policy}:${key}`);
				counts.push({ requests: consumedPoints, resetMs: msBeforeNext });
				if (consumedPoints > limit) break;
			}
			return counts;
		},
	};
}

// The same as memoryCounts. Counters without an expiry can't exist: the script is atomic.
const addScript = createScript(`
local counts = {}
for i, key in ipairs(KEYS) do
	local requests = redis.call('INCR', key)
	if requests == 1 then redis.call('PEXPIRE', key, ARGV[1]) end
	counts[2 * i - 1] = requests
	counts[2 * i] = redis.call('PTTL', key)
	if requests > tonumber(ARGV[i + 1]) then break end
end
return counts
`);

/** Counts in Redis, for all gateways together; in `memory` while Redis is unavailable. */
export function redisCounts(deps: { redis: Redis; memory: RateCounts; onFallback: () => void }): RateCounts {
	const { redis, memory } = deps;
	return {
		add: async (buckets) => {
			if (redis.available()) {
				const keys = buckets.map(({ policy, key }) => `paddock:rate:${policy}:${key}`);
				const limits = buckets.map(({ limit }) => limit);
				try {
					return readCounts(await redis.run(addScript, keys, [windowMs, ...limits]));
				} catch {
					// Fails open; libs/redis has counted and logged the failure.
				}
			}
			deps.onFallback();
			return memory.add(buckets);
		},
	};
}

function readCounts(reply: unknown): RateCount[] {
	const numbers = reply as number[];
	return numbers.flatMap((requests, index) =>
		index % 2 === 0 ? [{ requests, resetMs: numbers[index + 1] ?? 0 }] : [],
	);
}
