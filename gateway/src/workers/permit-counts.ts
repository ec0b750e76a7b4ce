import { setImmediate as afterMessages } from 'node:timers/promises';
import type { Logger } from '@paddock/telemetry';
import { countInOrder, type LimitedBucket, type RateCounts, windowMs } from '../limits/rate-limit.ts';
import { createRecentMap } from '../limits/recent-map.ts';
import { type Bucket, isAtLimit, newBucket, take } from './bucket.ts';
import { createPermitRequests, type RemotePermits } from './permit-requests.ts';

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
	/** As in the primary process. */
	readonly nowMs: () => number;
	readonly logger: Logger;
}): PermitCounts {
	const { nowMs } = deps;
	const buckets = createRecentMap<Bucket>({ periodMs: 2 * windowMs, nowMs });
	const takeFromPrimary = createPermitRequests(deps);
	const nameOf = ({ policy, key }: LimitedBucket) => `${policy}:${key}`;
	const bucketOf = (limited: LimitedBucket): Bucket => {
		const name = nameOf(limited);
		const known = buckets.get(name);
		if (known !== undefined) return known;
		const bucket = newBucket(name, limited.limit);
		buckets.set(name, bucket);
		return bucket;
	};
	const count = (limited: LimitedBucket) => {
		const bucket = bucketOf(limited);
		return take(bucket, nowMs()) ?? takeFromPrimary(bucket);
	};
	const refuses = (limited: LimitedBucket): boolean => {
		const known = buckets.get(nameOf(limited));
		return known !== undefined && isAtLimit(known, nowMs());
	};
	return {
		add: (limited) => countInOrder(limited, count, refuses),
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
