import type { Logger } from '@paddock/telemetry';
import type { Registry } from 'prom-client';
import type { Context } from '../contexts/context.ts';
import type { RefusalCount, TrafficSample } from './traffic-schemas.ts';

export type Traffic = ReturnType<typeof openTraffic>;

interface TrafficDeps {
	readonly scrape: () => Promise<Registry>;
	readonly contexts: readonly Context[];
	readonly logger: Logger;
	readonly now: () => Date;
}

interface Totals {
	readonly durations: ReadonlyMap<string, Buckets>;
	readonly errors: ReadonlyMap<string, number>;
	readonly refusals: ReadonlyMap<string, number>;
}

interface Interval {
	readonly samples: ReadonlyMap<string, TrafficSample>;
	readonly refusals: ReadonlyMap<string, number>;
}

const refusalsMax = 10;
const durationMetric = 'gateway_request_duration_seconds';
const refusalMetric = 'gateway_refusals_total';

/** The traffic of the last 15 minutes by context, from differences between two readings of the gateway's metrics. */
export function openTraffic(
	deps: TrafficDeps,
	settings: { intervalMs: number; intervalsMax: number } = { intervalMs: 10_000, intervalsMax: 90 },
) {
	const { intervalMs, intervalsMax } = settings;
	const intervals: Interval[] = [];
	let before: Totals = { durations: new Map(), errors: new Map(), refusals: new Map() };
	let beganAt = deps.now();
	const settle = async (): Promise<void> => {
		const totals = await readTotals(await deps.scrape());
		const endedAt = deps.now();
		// A clock that was set back must not give a negative length.
		const seconds = Math.max(0, endedAt.getTime() - beganAt.getTime()) / 1000;
		intervals.push(intervalOf(deps.contexts, before, totals, { at: beganAt, seconds }));
		if (intervals.length > intervalsMax) intervals.shift();
		before = totals;
		beganAt = endedAt;
	};
	const timer = setInterval(() => {
		settle().catch((error: unknown) => deps.logger.error('traffic could not be read', { error }));
	}, intervalMs);
	timer.unref();
	return {
		intervalMs,
		intervalsMax,
		/** Ends the current interval. */
		settle,
		/** By context, the oldest first. */
		read: (): Record<string, TrafficSample[]> =>
			Object.fromEntries(
				deps.contexts.map(({ name }) => [name, intervals.flatMap(({ samples }) => samples.get(name) ?? [])]),
			),
		/** The most frequent codes of the gateway's own error responses in all intervals, the highest count first. */
		refusals: (): RefusalCount[] => {
			const counts = new Map<string, number>();
			for (const [code, count] of intervals.flatMap(({ refusals }) => [...refusals]))
				counts.set(code, (counts.get(code) ?? 0) + count);
			return [...counts]
				.map(([code, count]) => ({ code, count }))
				.sort((a, b) => b.count - a.count)
				.slice(0, refusalsMax);
		},
		close: (): void => clearInterval(timer),
	};
}

function intervalOf(
	contexts: readonly Context[],
	before: Totals,
	after: Totals,
	{ at, seconds }: Pick<TrafficSample, 'at' | 'seconds'>,
): Interval {
	const samples = contexts.map(({ name }) => {
		const durations = difference(after.durations.get(name), before.durations.get(name));
		const sample: TrafficSample = {
			at,
			seconds,
			requests: durations.at(-1)?.count ?? 0,
			errors: (after.errors.get(name) ?? 0) - (before.errors.get(name) ?? 0),
			p50Ms: quantileMs(durations, 0.5),
			p95Ms: quantileMs(durations, 0.95),
		};
		return [name, sample] as const;
	});
	const refusals = [...after.refusals]
		.map(([code, count]) => [code, count - (before.refusals.get(code) ?? 0)] as const)
		.filter(([, count]) => count > 0);
	return { samples: new Map(samples), refusals: new Map(refusals) };
}

function quantileMs(buckets: Buckets, share: number): number | null {
	const seconds = quantile(buckets, share);
	return seconds === undefined ? null : Math.round(seconds * 10_000) / 10;
}

async function readTotals(registry: Registry): Promise<Totals> {
	const [durations, errors] = [new Map<string, Map<number, number>>(), new Map<string, number>()];
	const add = <K>(counts: Map<K, number>, key: K, count: number) =>
		counts.set(key, (counts.get(key) ?? 0) + count);
	for (const { metricName, labels, value } of await valuesOf(registry, durationMetric)) {
		const { context = '', status = '', le } = labels;
		if (metricName === `${durationMetric}_bucket`) {
			const counts = durations.get(context) ?? new Map<number, number>();
			durations.set(context, counts);
			add(counts, le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), value);
		} else if (metricName === `${durationMetric}_count` && status.startsWith('5'))
			add(errors, context, value);
	}
	const refusals = new Map<string, number>();
	for (const { labels, value } of await valuesOf(registry, refusalMetric))
		add(refusals, labels['code'] ?? '', value);
	const sorted = [...durations].map(([context, counts]) => {
		const buckets = [...counts].map(([upTo, count]) => ({ upTo, count }));
		return [context, buckets.sort((a, b) => a.upTo - b.upTo)] as const;
	});
	return { durations: new Map(sorted), errors, refusals };
}

interface Value {
	/** Name of a histogram's series, with its suffix. */
	readonly metricName?: string;
	readonly labels: Readonly<Partial<Record<string, string>>>;
	readonly value: number;
}

// prom-client's types allow numbers as labels; those of the gateway's metrics are texts, except `le`.
async function valuesOf(registry: Registry, name: string): Promise<readonly Value[]> {
	const metric = await registry.getSingleMetric(name)?.get();
	return (metric?.values ?? []) as readonly Value[];
}

/** Cumulative counts of a histogram, ascending; the last bucket has no bound and counts everything. */
type Buckets = readonly { readonly upTo: number; readonly count: number }[];

export function difference(after: Buckets = [], before: Buckets = []): Buckets {
	return after.map(({ upTo, count }, index) => ({ upTo, count: count - (before[index]?.count ?? 0) }));
}

/**
 * The quantile in the unit of the buckets, interpolated linearly within its bucket as Prometheus does; the highest bound for
 * values beyond it. Undefined without an observation.
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
