import { Counter, type MetricValueWithName, Registry } from 'prom-client';
import { processMetrics } from './process-metrics.ts';
import type { Traceparent } from './trace-context.ts';

/**
 * Seconds; from a cached response to the longest deadline. A bound is just above each default time-out that ends a request (1, 1.5, 2,
 * 5 and 30 s): percentiles are interpolated within a bucket, and requests that all took 5.0 s would be shown as 7.5 s.
 */
export const durationBucketsSeconds = [
	0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.1, 1.5, 1.6, 2, 2.1, 2.5, 5, 5.1, 10, 30,
	30.5,
];

/** The labels of a request: the declared route, never the raw path, so that a scanner can't create new series. */
interface RequestLabels {
	route: string;
	method: string;
	status: number;
}

export interface Metrics {
	readonly registry: Registry;
	/** Records one finished request. @param trace of the request if it is recorded; becomes an exemplar */
	observeRequest(labels: RequestLabels, durationMs: number, trace?: Traceparent): void;
	/** Removes the series of a route that does not exist any more. */
	forgetRoute(route: string): void;
}

interface MetricsOptions {
	readonly prefix: string;
	readonly service: string;
	/** With it, requests have the label `context` as well. */
	readonly contextOf?: (route: string) => string;
}

/** The metrics of one process: the Node.js defaults, requests and their durations by route, method and status. */
export function createMetrics(options: MetricsOptions): Metrics {
	const { contextOf } = options;
	const registry = new Registry();
	registry.setDefaultLabels({ service: options.service });
	processMetrics(registry);
	const labelNames = ['route', 'method', 'status', ...(contextOf === undefined ? [] : ['context'])];
	const requests = createCounter({
		name: `${options.prefix}_requests_total`,
		help: 'HTTP requests that have ended, by route, method and status.',
		labelNames,
		registry,
	});
	const duration = createHistogram({
		name: `${options.prefix}_request_duration_seconds`,
		help: 'Duration of HTTP requests in seconds, by route, method and status.',
		labelNames,
		buckets: durationBucketsSeconds,
		registry,
	});
	const bind = (request: Record<'route' | 'method' | 'status', string>) => {
		const labels = contextOf === undefined ? request : { ...request, context: contextOf(request.route) };
		return { requests: requests(labels), duration: duration(labels) };
	};
	type Bound = ReturnType<typeof bind>;
	type ByMethod = Map<string, Bound>;
	// By status, route and method; a status is a number and the fastest to look up.
	const bound = new Map<number, Map<string, ByMethod>>();
	const seriesOf = ({ route, method, status }: RequestLabels): Bound => {
		const byMethod = getOrMake(
			getOrMake(bound, status, newMap<string, ByMethod>),
			route,
			newMap<string, Bound>,
		);
		return getOrMake(byMethod, method, () => bind({ route, method, status: String(status) }));
	};
	return {
		registry,
		forgetRoute: (route) => {
			for (const byRoute of bound.values()) byRoute.delete(route);
			const isOfRoute = (labels: Readonly<Record<string, string>>) => labels['route'] === route;
			requests.forget(isOfRoute);
			duration.forget(isOfRoute);
		},
		observeRequest: (labels, durationMs, trace) => {
			const series = seriesOf(labels);
			series.requests.inc();
			series.duration.observe(durationMs / 1000, trace);
		},
	};
}

function newMap<K, V>(): Map<K, V> {
	return new Map();
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
	const known = map.get(key);
	if (known !== undefined) return known;
	const made = make();
	map.set(key, made);
	return made;
}

/** The series of one label's values, looked up with every request. Those of `known` values are bound at once. */
export function seriesBy<Series>(
	bind: (value: string) => Series,
	known: readonly string[] = [],
): ((value: string) => Series) & { forget(value: string): void } {
	const bound = new Map(known.map((value) => [value, bind(value)]));
	const seriesOf = (value: string) => {
		const series = bound.get(value) ?? bind(value);
		bound.set(value, series);
		return series;
	};
	return Object.assign(seriesOf, { forget: (value: string) => void bound.delete(value) });
}

interface Forgetful {
	forget(matches: (labels: Readonly<Record<string, string>>) => boolean): void;
}

/** One series of a histogram, looked up once and observed many times. */
interface BoundHistogram {
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

/** A histogram with reusable series: prom-client's own builds and checks a key of the labels on every observation. */
export function createHistogram<const L extends string>(
	options: HistogramOptions<L>,
): ((labels: Record<L, string>) => BoundHistogram) & Forgetful {
	const { name, help, labelNames, buckets, registry } = options;
	let all: Series[] = [];
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
	const bind = (labels: Record<L, string>): BoundHistogram => {
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
	return Object.assign(bind, {
		forget: (matches: Parameters<Forgetful['forget']>[0]) => {
			all = all.filter(({ labels }) => !matches(labels));
		},
	});
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

/** A counter with reusable series, added to prom-client's when that is read. A series begins with 0, see `increase()`. */
export function createCounter<const L extends string>(options: {
	readonly name: string;
	readonly help: string;
	readonly labelNames: readonly L[];
	readonly registry: Registry;
}): ((labels: Record<L, string>) => { inc(): void }) & Forgetful {
	const { registry, ...named } = options;
	let tallies: { readonly labels: Record<L, string>; pending: number }[] = [];
	const counter = new Counter({
		...named,
		registers: [registry],
		collect() {
			for (const tally of tallies) {
				if (tally.pending > 0) this.inc(tally.labels, tally.pending);
				tally.pending = 0;
			}
		},
	});
	const bind = (labels: Record<L, string>) => {
		const tally = { labels, pending: 0 };
		tallies.push(tally);
		counter.inc(labels, 0);
		return {
			inc: () => {
				tally.pending += 1;
			},
		};
	};
	return Object.assign(bind, {
		forget: (matches: Parameters<Forgetful['forget']>[0]) => {
			for (const { labels } of tallies.filter((tally) => matches(tally.labels))) counter.remove(labels);
			tallies = tallies.filter(({ labels }) => !matches(labels));
		},
	});
}
