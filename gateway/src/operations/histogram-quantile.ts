/** Cumulative counts of a histogram, ascending; the last bucket has no bound and counts everything. */
export type Buckets = readonly { readonly upTo: number; readonly count: number }[];

/** The observations between two readings. */
export function difference(after: Buckets = [], before: Buckets = []): Buckets {
	return after.map(({ upTo, count }, index) => ({ upTo, count: count - (before[index]?.count ?? 0) }));
}

/**
 * The quantile in the unit of the buckets, interpolated linearly within its bucket as Prometheus does
 * (https://prometheus.io/docs/prometheus/latest/querying/functions/#histogram_quantile): it is as exact as the bucket is
 * narrow, and the highest bound for values beyond it. Undefined without an observation.
 */
export function quantile(buckets: Buckets, share: number): number | undefined {
	const total = buckets.at(-1)?.count ?? 0;
	if (total === 0) return undefined;
	const rank = share * total;
	const index = buckets.findIndex(({ count }) => count >= rank);
	const bucket = buckets[index];
	const below = buckets[index - 1] ?? { upTo: 0, count: 0 };
	if (bucket === undefined || !Number.isFinite(bucket.upTo)) return below.upTo;
	return below.upTo + ((bucket.upTo - below.upTo) * (rank - below.count)) / (bucket.count - below.count);
}
