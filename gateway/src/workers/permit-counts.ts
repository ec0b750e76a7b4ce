import { setImmediate as afterMessages } from 'node:timers/promises';
import type { Logger } from '@paddock/telemetry';
import { type LimitedBucket, type RateCount, type RateCounts, windowMs } from '../edge/rate-limit.ts';
import { type Bucket, newBucket, take } from './bucket.ts';
import { createPermitRequests, type RemotePermits } from './permit-requests.ts';
import { createRecentMap } from './recent-map.ts';

export interface PermitCounts extends RateCounts {
	/** Returns the unused permits of a window to the primary process. */
	recall(bucket: string, endsAtMs: number): Promise<number>;
}

/**
 * Counts with permits of the primary process, so that a limit holds exactly for all workers together and most requests
 * need no message.
 */
export function permitCounts(deps: {
	readonly primary: RemotePermits;
	/** Counts in this worker while the primary process does not respond. */
	readonly memory: RateCounts;
	readonly now: () => Date;
	readonly logger: Logger;
}): PermitCounts {
	const { memory, now } = deps;
	const buckets = createRecentMap<Bucket>({ periodMs: 2 * windowMs, now });
	const takeFromPrimary = createPermitRequests(deps);
	const bucketOf = ({ policy, key, limit }: LimitedBucket): Bucket => {
		const name = `${policy}:${key}`;
		const known = buckets.get(name);
		if (known !== undefined) return known;
		const bucket = newBucket(name, limit);
		buckets.set(name, bucket);
		return bucket;
	};
	return {
		add: async (limited) => {
			const counts: RateCount[] = [];
			for (const each of limited) {
				const bucket = bucketOf(each);
				const count = take(bucket, now()) ?? (await takeFromPrimary(bucket)) ?? (await memory.add([each]))[0];
				if (count === undefined) break;
				counts.push(count);
				if (count.requests > each.limit) break;
			}
			return counts;
		},
		recall: async (name, endsAtMs) => {
			// A grant that was sent before may have arrived in the same read, and its promise settles later than this call starts.
			await afterMessages();
			const bucket = buckets.get(name);
			if (bucket?.endsAtMs !== endsAtMs) return 0;
			const { permits } = bucket;
			bucket.permits = 0;
			return permits;
		},
	};
}
