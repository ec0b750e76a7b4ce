import { createScript, type Redis } from '@paddock/redis';
import { type RateCount, type RateCounts, windowMs } from './rate-limit.ts';

// The same as memoryCounts. A new counter has no expiry yet. One that would last for longer than a window is of before the clock of
// Redis was set back.
const addScript = createScript(`
local counts = {}
local last = #KEYS
local refused = last > 1 and (tonumber(redis.call('GET', KEYS[last])) or 0) >= tonumber(ARGV[last + 1])
for i, key in ipairs(KEYS) do
	local requests, left = 0, 0
	if i == last or not refused then
		requests = redis.call('INCR', key)
		left = redis.call('PTTL', key)
		if left < 0 or left > tonumber(ARGV[1]) then
			redis.call('PEXPIRE', key, ARGV[1])
			left = tonumber(ARGV[1])
		end
	end
	counts[2 * i - 1] = requests
	counts[2 * i] = left
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
