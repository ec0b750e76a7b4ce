import type { MetricObjectWithValues, MetricValue, MetricValueWithName } from 'prom-client';
import type { z } from 'zod';
import type { metric as metricSchema } from './operations-schemas.ts';

/** One metric in the format of Micrometer's metrics endpoint, which monitoring tools read. */
type MetricReading = z.output<typeof metricSchema>;
type Statistic = MetricReading['measurements'][number]['statistic'];

export interface Tag {
	readonly tag: string;
	readonly value: string;
}

/** What prom-client gives for a metric; series of histograms are named apart: `…_bucket`, `…_sum`, `…_count`. */
type CollectedMetric = Omit<MetricObjectWithValues<MetricValue<string>>, 'values' | 'type'> & {
	readonly values: readonly (MetricValue<string> | MetricValueWithName<string>)[];
	// Typed as a numeric enumeration, but prom-client uses strings.
	readonly type: unknown;
};

/** Undefined if no series has all tags. https://docs.spring.io/spring-boot/api/rest/actuator/metrics.html */
export function metricReading(metric: CollectedMetric, tags: readonly Tag[]): MetricReading | undefined {
	const series = metric.values
		.map((value) => ({ statistic: statisticOf(metric, value), labels: labelsOf(value), value: value.value }))
		.filter(({ labels }) => tags.every(({ tag, value }) => labels.get(tag) === value));
	const measured = series.filter(
		(one): one is typeof one & { statistic: Statistic } => one.statistic !== undefined,
	);
	if (measured.length === 0) return undefined;
	const filtered = new Set(tags.map(({ tag }) => tag));
	return {
		name: metric.name,
		description: metric.help,
		baseUnit: /_(seconds|bytes)(?:_total)?$/.exec(metric.name)?.[1] ?? null,
		measurements: [...Map.groupBy(measured, ({ statistic }) => statistic)].map(([statistic, all]) => ({
			statistic,
			value: all.reduce((sum, { value }) => sum + value, 0),
		})),
		availableTags: tagsOf(measured.map(({ labels }) => labels)).filter(({ tag }) => !filtered.has(tag)),
	};
}

function statisticOf(
	metric: CollectedMetric,
	value: CollectedMetric['values'][number],
): Statistic | undefined {
	if (metric.type === 'counter') return 'COUNT';
	if (metric.type === 'gauge') return 'VALUE';
	const name = 'metricName' in value ? value.metricName : undefined;
	if (name === `${metric.name}_count`) return 'COUNT';
	return name === `${metric.name}_sum` ? 'TOTAL' : undefined;
}

function labelsOf({ labels }: { labels: object }): ReadonlyMap<string, string> {
	return new Map(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}

function tagsOf(series: readonly ReadonlyMap<string, string>[]): MetricReading['availableTags'] {
	const values = new Map<string, Set<string>>();
	for (const labels of series) {
		for (const [tag, value] of labels) values.set(tag, (values.get(tag) ?? new Set()).add(value));
	}
	return [...values].map(([tag, known]) => ({ tag, values: [...known].sort() }));
}
