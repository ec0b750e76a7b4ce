import type { Logger } from '@paddock/telemetry';
import {
	countInOrder,
	createRecentMap,
	type LimitedBucket,
	type RateCounts,
	windowMs,
} from '../limits/rate-limit.ts';
import { type Bucket, isAtLimit, newBucket, take } from './bucket.ts';
import { createPermitRequests, type RemotePermits } from './permit-requests.ts';

/** Counts with permits of the primary process, so that a limit holds for all workers together and most requests need no message. */
export function permitCounts(deps: {
	readonly primary: RemotePermits;
	/** As in the primary process. */
	readonly nowMs: () => number;
	readonly logger: Logger;
}): RateCounts {
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
	return { add: (limited) => countInOrder(limited, count, refuses) };
}
