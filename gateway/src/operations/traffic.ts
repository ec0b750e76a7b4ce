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
	let before: ReadonlyMap<string, number> = new Map();
	let beganAt = deps.now();
	const settle = async (): Promise<void> => {
		const counts = await readCounts(await deps.scrape());
		const endedAt = deps.now();
		// A clock that was set back must not give a negative length.
		const seconds = Math.max(0, endedAt.getTime() - beganAt.getTime()) / 1000;
		intervals.push(intervalOf(deps.contexts, countedSince(before, counts), { at: beganAt, seconds }));
		if (intervals.length > intervalsMax) intervals.shift();
		before = new Map(counts.map(({ series, value }) => [series, value]));
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
			for (const { refusals } of intervals) for (const [code, count] of refusals) add(counts, code, count);
			return [...counts]
				.map(([code, count]) => ({ code, count }))
				.sort((a, b) => b.count - a.count)
				.slice(0, refusalsMax);
		},
		close: (): void => clearInterval(timer),
	};
}

/** Of each series by itself: those of routes that no longer exist are gone, and one that returns begins with 0 again. */
function countedSince(before: ReadonlyMap<string, number>, counts: readonly Count[]): readonly Count[] {
	return counts.map((count) => {
		const earlier = before.get(count.series) ?? 0;
		return { ...count, value: count.value < earlier ? count.value : count.value - earlier };
	});
}

function intervalOf(
	contexts: readonly Context[],
	counted: readonly Count[],
	{ at, seconds }: Pick<TrafficSample, 'at' | 'seconds'>,
): Interval {
	const durations = new Map<string, Map<number, number>>();
	const [errors, refusals] = [new Map<string, number>(), new Map<string, number>()];
	for (const { name, labels, value } of counted) {
		const { context = '', status = '', le, code = '' } = labels;
		if (name === `${durationMetric}_bucket`) {
			const counts = durations.get(context) ?? new Map<number, number>();
			durations.set(context, counts);
			add(counts, le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), value);
		} else if (name === `${durationMetric}_count` && status.startsWith('5')) add(errors, context, value);
		else if (name === refusalMetric && value > 0) add(refusals, code, value);
	}
	const samples = contexts.map(({ name }) => {
		const buckets = [...(durations.get(name) ?? [])]
			.map(([upTo, count]) => ({ upTo, count }))
			.sort((a, b) => a.upTo - b.upTo);
		const sample: TrafficSample = {
			at,
			seconds,
			requests: buckets.at(-1)?.count ?? 0,
			errors: errors.get(name) ?? 0,
			p50Ms: quantileMs(buckets, 0.5),
			p95Ms: quantileMs(buckets, 0.95),
		};
		return [name, sample] as const;
	});
	return { samples: new Map(samples), refusals };
}

function add<K>(counts: Map<K, number>, key: K, count: number): void {
	counts.set(key, (counts.get(key) ?? 0) + count);
}

function quantileMs(buckets: Buckets, share: number): number | null {
	const seconds = quantile(buckets, share);
	return seconds === undefined ? null : Math.round(seconds * 10_000) / 10;
}

/** The value of one series of a counter or histogram. */
interface Count {
	/** Of a histogram's series with its suffix. */
	readonly name: string;
	readonly labels: Readonly<Partial<Record<string, string>>>;
	readonly series: string;
	readonly value: number;
}

async function readCounts(registry: Registry): Promise<readonly Count[]> {
	const metrics = [durationMetric, refusalMetric].map((name) => registry.getSingleMetric(name)?.get());
	return (await Promise.all(metrics)).flatMap((metric) =>
		(metric?.values ?? []).map((each) => {
			// prom-client's types allow numbers as labels; those of the gateway's metrics are texts, except `le`.
			const { metricName: name = metric?.name ?? '', labels, value } = each as MetricValue;
			const { context, route, method, status, le, code } = labels;
			return { name, labels, series: [name, context, route, method, status, le, code].join(' '), value };
		}),
	);
}

type MetricValue = Pick<Count, 'labels' | 'value'> & { readonly metricName?: string };

/** Cumulative counts of a histogram, ascending; the last bucket has no bound and counts everything. */
type Buckets = readonly { readonly upTo: number; readonly count: number }[];

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
