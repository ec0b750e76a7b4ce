import { collectDefaultMetrics, Registry } from 'prom-client';
import { createCounter, createHistogram } from './bound-metrics.ts';
import { processMetrics } from './process-metrics.ts';
import type { Traceparent } from './trace-context.ts';

/** Seconds; from a cached response to the longest deadline. */
export const durationBucketsSeconds = [
	0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** The labels of a request: the declared route, never the raw path, so that a scanner can't create new series. */
export interface RequestLabels {
	route: string;
	method: string;
	status: number;
}

export interface Metrics {
	readonly registry: Registry;
	/** Records one finished request. @param trace of the request if it is recorded; becomes an exemplar */
	observeRequest(labels: RequestLabels, durationMs: number, trace?: Traceparent): void;
}

interface MetricsOptions {
	readonly prefix: string;
	readonly service: string;
	/** With it, requests have the label `context` as well. */
	readonly contextOf?: (route: string) => string;
}

// Gauges with names of counters, each the sum over another existing gauge: the naming rules of Prometheus
// (https://prometheus.io/docs/practices/naming/) reserve `_total` for counters.
const misnamed = [
	'nodejs_active_handles_total',
	'nodejs_active_requests_total',
	'nodejs_active_resources_total',
];

/**
 * The metrics of one process in a separate registry (prom-client's global one would collide in tests): the Node.js
 * defaults, `<prefix>_requests_total` and `<prefix>_request_duration_seconds` by route, method and status.
 */
export function createMetrics(options: MetricsOptions): Metrics {
	const { contextOf } = options;
	const registry = new Registry();
	registry.setDefaultLabels({ service: options.service });
	collectDefaultMetrics({ register: registry });
	for (const name of misnamed) registry.removeSingleMetric(name);
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
