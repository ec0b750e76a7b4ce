import { AggregatorRegistry, type Registry } from 'prom-client';

export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Merges metrics: counters and histograms are summed, gauges merged by `aggregator`. Exited workers stay in the sums. */
export function createMergedMetrics() {
	const current = new Map<number, MetricValues>();
	let retired: MetricValues[] = [];
	return {
		keep: (worker: number, values: MetricValues): void => {
			current.set(worker, values);
		},
		/** After the worker has exited: its counts stay in the sums, its gauges do not. */
		retire: (worker: number): void => {
			retired.push((current.get(worker) ?? []).filter(isCount));
			current.delete(worker);
		},
		/** Removes the series of a label's value that no process has any more, also from what exited workers have counted. */
		forget: (label: string, value: string): void => {
			for (const [worker, values] of current) current.set(worker, without(values, label, value));
			retired = retired.map((values) => without(values, label, value));
		},
		merge: async (own: Registry): Promise<Registry> => {
			const values = (await own.getMetricsAsJSON()).map(ofPrimary);
			// Summed at once, so that the list stays short.
			retired = [await AggregatorRegistry.aggregate(retired).getMetricsAsJSON()];
			return AggregatorRegistry.aggregate([values, ...current.values(), ...retired]);
		},
	};
}

function without(metrics: MetricValues, label: string, value: string): MetricValues {
	return metrics.map((metric) => ({
		...metric,
		values: metric.values.filter(({ labels }) => labels[label] !== value),
	})) as MetricValues;
}

// prom-client uses strings for the type, which is declared as a numeric enumeration.
function isCount({ type }: { readonly type: unknown }): boolean {
	return type === 'counter' || type === 'histogram';
}

/** prom-client omits the start time of the process from sums; that of the primary process is the gateway's. */
function ofPrimary(metric: MetricValues[number]): MetricValues[number] {
	return metric.aggregator === 'omit' ? { ...metric, aggregator: 'first' } : metric;
}
