import { apiError, commonErrors } from '@paddock/contract';
import { type Route, routesWith } from '@paddock/service';
import { exposition, openMetricsType } from '@paddock/telemetry';
import type { Metric, Registry } from 'prom-client';
import { z } from 'zod';
import type { Context } from '../contexts/context.ts';
import type { HealthDetails } from '../health/health-details.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';
import type { ObservedInstance } from '../upstream/upstream.ts';
import type { BuildInfo } from './build-info.ts';
import { metricReading, type Tag } from './metric-reading.ts';
import { type OperationsAccess, officersUnless } from './operations-access.ts';
import {
	info,
	metricNames,
	metric as metricSchema,
	scrapeTargets as scrapeTargetsSchema,
} from './operations-schemas.ts';
import type { OtherGateways } from './other-gateways.ts';
import { scrapeTargets } from './scrape-targets.ts';
import type { Traffic } from './traffic.ts';
import { traffic as trafficSchema } from './traffic-schemas.ts';

export interface MetricsDeps {
	readonly scrape: () => Promise<Registry>;
	readonly build: BuildInfo;
	readonly contexts: readonly Context[];
	readonly table: InstanceTable<ObservedInstance>;
	readonly gateways: OtherGateways;
	readonly traffic: Traffic;
	readonly details: HealthDetails;
}

const route = routesWith<MetricsDeps>('operations');
const shared = { method: 'get', access: 'public', cacheControl: 'no-store' } as const;

/** `/metrics`, `/info`, `/prometheus` with its scrape targets, and `/traffic`. */
export function metricsRoutes(
	prefix: `/${string}`,
	{ detailsArePublic }: OperationsAccess,
): readonly Route<MetricsDeps>[] {
	return [
		route({
			...shared,
			path: `${prefix}/metrics`,
			operationId: 'metrics',
			summary: 'The names of all metrics',
			output: metricNames,
			message: 'The names of all metrics',
			handler: async (_request, { scrape }) => ({
				names: (await scrape())
					.getMetricsAsArray()
					.map(({ name }) => name)
					.sort(),
			}),
		}),
		metricRoute(prefix),
		route({
			...shared,
			path: `${prefix}/info`,
			operationId: 'info',
			summary: 'Version, commit and contexts',
			output: info,
			message: 'Version and build',
			handler: (_request, { build, contexts }) => ({
				...build,
				contexts: contexts.map(({ name, prefix: url, critical }) => ({ name, url, critical })),
				uptimeSeconds: Math.round(process.uptime()),
			}),
		}),
		route({
			...shared,
			path: `${prefix}/prometheus`,
			operationId: 'prometheus',
			summary: 'Metrics in Prometheus text format',
			description: 'As OpenMetrics, with exemplars, if `Accept` prefers it.',
			output: z.string(),
			message: 'Metrics in Prometheus text format',
			document: 'text/plain; version=0.0.4',
			alternative: `${openMetricsType}; version=1.0.0`,
			handler: async ({ headers }, { scrape }) => {
				const { type, text } = await exposition(await scrape(), headers['accept'] as string | undefined);
				return (res) => void res.type(type).send(text);
			},
		}),
		route({
			...shared,
			path: `${prefix}/prometheus/targets`,
			operationId: 'scrapeTargets',
			summary: 'Gateways and services that Prometheus can scrape, in the form of its HTTP discovery',
			description:
				'With `HEALTH_DETAILS=authorized` for officers and administrators only, except on a port of its own.',
			...officersUnless(detailsArePublic),
			output: scrapeTargetsSchema,
			message: 'Gateways and services that Prometheus can scrape',
			document: 'application/json',
			handler: (_request, deps) => scrapeTargets(deps, prefix),
		}),
		trafficRoute(prefix),
	];
}

function metricRoute(prefix: `/${string}`): Route<MetricsDeps> {
	return route({
		...shared,
		path: `${prefix}/metrics/{name}`,
		operationId: 'metric',
		summary: 'One metric, summed over the series that have the given tags',
		description: "In the shape of Micrometer's metrics endpoint; for graphs, scrape the Prometheus page.",
		params: z.object({
			name: z.string().meta({ example: 'gateway_requests_total', description: 'Name of the metric.' }),
		}),
		query: z.strictObject({
			tag: z
				.array(z.string().regex(/^[^:]+:/, 'must be a name and a value such as method:GET'))
				.optional()
				.meta({ description: '`name:value`, any number of times.', example: ['method:GET'] }),
		}),
		output: metricSchema,
		message: ({ description }) => description,
		errors: { NOT_FOUND: commonErrors.NOT_FOUND },
		handler: async ({ params, query }, { scrape }) => {
			const metric = findMetric(await scrape(), params.name);
			const tags = (query.tag ?? []).map(parseTag);
			const reading = metric === undefined ? undefined : metricReading(await metric.get(), tags);
			if (reading === undefined)
				throw apiError('NOT_FOUND', { message: 'There is no such metric with these tags.' });
			return reading;
		},
	});
}

function trafficRoute(prefix: `/${string}`): Route<MetricsDeps> {
	return route({
		...shared,
		path: `${prefix}/traffic`,
		operationId: 'traffic',
		summary: 'Requests, errors and durations per context over the last quarter of an hour',
		description: 'Of this gateway only; Prometheus has those of all gateways.',
		tokenOptional: 'ifVerifiable',
		query: z.looseObject({}),
		output: trafficSchema,
		message: 'Traffic of the last minutes',
		readers: ({ principal }, { details }) => details.visibleTo(principal),
		handler: ({ viewer: seesDetails }, { traffic }) => {
			const { intervalMs, intervalsMax } = traffic;
			const shown = seesDetails
				? { contexts: traffic.read(), refusals: traffic.refusals() }
				: { contexts: {}, refusals: [] };
			return { intervalMs, intervalsMax, ...shown };
		},
	});
}

// The registry's own lookup would find `__proto__` in its object of metrics.
function findMetric(registry: Registry, name: string): Metric | undefined {
	const isKnown = registry.getMetricsAsArray().some((metric) => metric.name === name);
	return isKnown ? registry.getSingleMetric(name) : undefined;
}

function parseTag(text: string): Tag {
	const colon = text.indexOf(':');
	return { tag: text.slice(0, colon), value: text.slice(colon + 1) };
}
