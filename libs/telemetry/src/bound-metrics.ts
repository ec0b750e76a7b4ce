import { Counter, type MetricValueWithName, type Registry } from 'prom-client';
import type { Traceparent } from './trace-context.ts';

/** One series of a histogram, looked up once and observed many times. */
export interface BoundHistogram {
	/** @param trace of the observed operation if it is recorded; the exemplar of its bucket */
	observe(seconds: number, trace?: Traceparent): void;
}

interface HistogramOptions<L extends string> {
	readonly name: string;
	readonly help: string;
	readonly labelNames: readonly L[];
	/** Upper bounds in seconds, ascending. */
	readonly buckets: readonly number[];
	readonly registry: Registry;
}

interface Series {
	readonly labels: Record<string, string>;
	/** By bucket; the last is for values above all bounds. */
	readonly counts: number[];
	/** By bucket, the latest one. */
	readonly exemplars: Exemplar[];
	sum: number;
	count: number;
}

/** As prom-client writes it. */
interface Exemplar {
	readonly labelSet: Readonly<Record<'trace_id' | 'span_id', string>>;
	readonly value: number;
	readonly timestamp: number;
}

/**
 * A histogram in prom-client's registry with reusable series: prom-client's own histogram builds and checks a key of
 * the labels on every observation, which costs more than the rest of it.
 */
export function createHistogram<const L extends string>(
	options: HistogramOptions<L>,
): (labels: Record<L, string>) => BoundHistogram {
	const { name, help, labelNames, buckets, registry } = options;
	const all: Series[] = [];
	registry.registerMetric({
		name,
		help,
		type: 'histogram',
		aggregator: 'sum',
		labelNames,
		buckets,
		get: async () => ({
			name,
			help,
			type: 'histogram',
			aggregator: 'sum',
			values: all.filter(({ count }) => count > 0).flatMap((series) => valuesOf(name, buckets, series)),
		}),
	} as never);
	return (labels) => {
		const series: Series = {
			labels,
			counts: buckets.map(() => 0).concat(0),
			exemplars: [],
			sum: 0,
			count: 0,
		};
		all.push(series);
		return {
			observe: (seconds, trace) => {
				let at = 0;
				while (at < buckets.length && seconds > (buckets[at] ?? 0)) at += 1;
				series.counts[at] = (series.counts[at] ?? 0) + 1;
				series.sum += seconds;
				series.count += 1;
				if (trace !== undefined) series.exemplars[at] = exemplarOf(trace, seconds);
			},
		};
	};
}

function exemplarOf({ traceId, spanId }: Traceparent, value: number): Exemplar {
	return { labelSet: { trace_id: traceId, span_id: spanId }, value, timestamp: Date.now() / 1_000 };
}

function valuesOf(
	name: string,
	buckets: readonly number[],
	{ labels, counts, exemplars, sum, count }: Series,
): MetricValueWithName<string>[] {
	let below = 0;
	const cumulative = [...buckets, '+Inf'].map((le, at) => {
		below += counts[at] ?? 0;
		const value = { metricName: `${name}_bucket`, labels: { ...labels, le }, value: below };
		return exemplars[at] === undefined ? value : { ...value, exemplar: exemplars[at] };
	});
	return [
		...cumulative,
		{ metricName: `${name}_sum`, labels: { ...labels }, value: sum },
		{ metricName: `${name}_count`, labels: { ...labels }, value: count },
	];
}

/**
 * A counter with reusable series, for counts as frequent as requests: they are plain numbers, added to prom-client's
 * counter when that is read.
 */
export function createCounter<const L extends string>(options: {
	readonly name: string;
	readonly help: string;
	readonly labelNames: readonly L[];
	readonly registry: Registry;
}): (labels: Record<L, string>) => { inc(): void } {
	const { registry, ...named } = options;
	const tallies: { readonly labels: Record<L, string>; pending: number }[] = [];
	new Counter({
		...named,
		registers: [registry],
		collect() {
			for (const tally of tallies) {
				if (tally.pending > 0) this.inc(tally.labels, tally.pending);
				tally.pending = 0;
			}
		},
	});
	return (labels) => {
		const tally = { labels, pending: 0 };
		tallies.push(tally);
		return {
			inc: () => {
				tally.pending += 1;
			},
		};
	};
}
