import { z } from 'zod';
import { breakerFields, instantDate, overrideFields } from '../health/breaker-schemas.ts';
import { gatewayAddress, overrideStore } from '../health/shared-state-schemas.ts';

export const metricNames = z
	.strictObject({ names: z.array(z.string()).describe('Names in alphabetical order.') })
	.meta({
		id: 'MetricNames',
		description: 'Names of all metrics.',
		example: { names: ['gateway_requests_total'] },
	});

const measurement = z
	.strictObject({
		statistic: z
			.enum(['VALUE', 'COUNT', 'TOTAL'])
			.meta({ id: 'MetricStatistic', description: 'Meaning of a value, as in Micrometer.' }),
		value: z.number().describe('The value.'),
	})
	.meta({ id: 'Measurement', description: 'One value of a metric.' });

const metricTag = z
	.strictObject({
		tag: z.string().describe('Name of the tag.'),
		values: z.array(z.string()).describe('Values that occur.'),
	})
	.meta({ id: 'MetricTag', description: 'A tag with its values.' });

export const metric = z
	.strictObject({
		name: z.string().describe('Name of the metric.'),
		description: z.string().describe('Meaning of the metric.'),
		baseUnit: z.string().nullable().describe('Unit; null if the name has it or there is none.'),
		measurements: z.array(measurement).describe('Values, summed over the selected series.'),
		availableTags: z.array(metricTag).describe('Tags by which the series can be narrowed further.'),
	})
	.meta({
		id: 'Metric',
		description: 'One metric in the shape of Micrometer.',
		example: {
			name: 'gateway_requests_total',
			description: 'HTTP requests that have ended, by route, method and status.',
			baseUnit: null,
			measurements: [{ statistic: 'COUNT', value: 1234 }],
			availableTags: [{ tag: 'route', values: ['/api/masterdata'] }],
		},
	});

const contextInfo = z
	.strictObject({
		name: z.string().describe('Name of the context.'),
		url: z.string().describe('Prefix of its paths.'),
		critical: z.boolean().describe('Whether the system is DOWN without it.'),
	})
	.meta({ id: 'ContextInfo', description: 'One context.' });

export const info = z
	.strictObject({
		application: z
			.strictObject({
				name: z.string().describe('Name of the process.'),
				version: z.string().describe('Its version.'),
			})
			.meta({ id: 'ApplicationInfo', description: 'The process.' }),
		build: z
			.strictObject({
				time: z.string().nullable().describe('Time of the build in ISO 8601; null for a checkout.'),
			})
			.meta({ id: 'BuildInfo', description: 'The build.' }),
		git: z
			.strictObject({
				commit: z.string().nullable().describe('Hash of the commit; null if unknown.'),
				branch: z.string().nullable().describe('Name of the branch; null if unknown.'),
			})
			.meta({ id: 'GitInfo', description: 'The source.' }),
		node: z
			.strictObject({ version: z.string().describe('Version with a leading v.') })
			.meta({ id: 'NodeInfo', description: 'The Node.js runtime.' }),
		contexts: z.array(contextInfo).describe('Contexts of this deployment.'),
		uptimeSeconds: z.int().min(0).describe('Seconds since the process started.'),
	})
	.meta({
		id: 'Info',
		description: 'Version and build of the gateway.',
		example: {
			application: { name: 'paddock-gateway', version: '0.1.0' },
			build: { time: '2026-03-01T06:00:00.000Z' },
			git: { commit: '0c2b7f0c1d8e4a52b8a0c5a3f1de6a7790b4c1d2', branch: null },
			node: { version: 'v24.21.0' },
			contexts: [{ name: 'masterdata', url: '/api/masterdata', critical: true }],
			uptimeSeconds: 86_400,
		},
	});

const scrapeTarget = z
	.strictObject({
		targets: z.array(z.string()).length(1).describe('Host and port.'),
		labels: z
			.record(z.string(), z.string())
			.describe(
				'Labels: `job`, `instance`, `__metrics_path__`, the path of the metrics, and `__scheme__`, if that is `https`.',
			),
	})
	.meta({ id: 'ScrapeTarget', description: 'One target of Prometheus.' });

export const scrapeTargets = z.array(scrapeTarget).meta({
	id: 'ScrapeTargets',
	description: 'Targets in the format of Prometheus’ HTTP service discovery.',
	example: [
		{
			targets: ['10.0.0.7:8083'],
			labels: {
				job: 'masterdata-service',
				instance: 'masterdata-service-10.0.0.7-8083',
				__metrics_path__: '/metrics',
			},
		},
	],
});

const context = z.string().describe('Name of the context.');

const listedBreaker = z
	.strictObject({
		context,
		instance: z.string().describe('Id of the instance.'),
		address: z.string().describe('Host and port.'),
		...breakerFields,
	})
	.meta({
		id: 'ListedBreaker',
		extends: 'Breaker',
		description: 'Circuit breaker of one instance, with its place.',
	});

const standingOrder = z
	.strictObject({
		target: z
			.strictObject({
				context,
				instance: z.string().optional().describe('Id of the instance; absent for all of the context.'),
			})
			.meta({ id: 'OverrideTarget', description: 'Breakers that an override concerns.' }),
		state: z
			.enum(['OPEN', 'CLOSED'])
			.meta({ id: 'ForcedState', description: 'OPEN: no request is admitted. CLOSED: all requests are.' }),
		...overrideFields,
		at: instantDate.describe('When it was given, in UTC.'),
	})
	.meta({ id: 'CurrentOverride', extends: 'BreakerOverride', description: 'One override of breakers.' });

const exampleOverride = {
	reason: 'maintenance of its database',
	by: '7b0c3a52-3f5e-4f0e-9f5f-0d6a9c1f2b11',
	byName: 'Anna Huber',
	until: '2026-03-01T08:25:00.000Z',
};

export const breakerList = z
	.strictObject({
		...overrideStore,
		breakers: z.array(listedBreaker).describe('Breakers of all instances.'),
		orders: z.array(standingOrder).describe('Overrides that have not ended.'),
	})
	.meta({
		id: 'BreakerList',
		description: 'Circuit breakers and their overrides.',
		example: {
			storedIn: 'consul',
			stale: false,
			breakers: [
				{
					context: 'masterdata',
					instance: 'masterdata-service-10.0.0.7-8083',
					address: '10.0.0.7:8083',
					state: 'OPEN',
					since: '2026-03-01T08:15:00.000Z',
					nextTryAt: '2026-03-01T08:25:00.000Z',
					forced: exampleOverride,
				},
			],
			orders: [
				{
					target: { context: 'masterdata' },
					state: 'OPEN',
					at: '2026-03-01T08:15:00.000Z',
					...exampleOverride,
				},
			],
		},
	});

const gatewayView = z
	.strictObject({
		...gatewayAddress.shape,
		responds: z.boolean().describe('Whether it responded in time.'),
		message: z.string().optional().describe('Reason why its breakers are unknown.'),
		breakers: z
			.array(
				z
					.strictObject({
						context,
						instance: z.string().describe('Id of the instance.'),
						state: breakerFields.state,
						forced: z.boolean().describe('Whether an administrator has overridden it.'),
					})
					.meta({ id: 'ViewedBreaker', description: 'Circuit breaker as another gateway sees it.' }),
			)
			.describe('Its breakers; empty if it did not respond.'),
	})
	.meta({ id: 'GatewayView', description: 'Another gateway with its view of the breakers.' });

export const gatewayList = z
	.strictObject({
		self: gatewayAddress.optional(),
		others: z.array(gatewayView).describe('The other gateways in the registry.'),
		omitted: z.int().min(0).describe('Further gateways that were not queried.'),
	})
	.meta({
		id: 'GatewayList',
		description: 'All gateways of the deployment.',
		example: {
			self: { id: 'gateway-10.0.0.2-8080', address: '10.0.0.2:8080' },
			others: [
				{
					id: 'gateway-10.0.0.3-8080',
					address: '10.0.0.3:8080',
					responds: true,
					breakers: [
						{
							context: 'masterdata',
							instance: 'masterdata-service-10.0.0.7-8083',
							state: 'OPEN',
							forced: false,
						},
					],
				},
			],
			omitted: 0,
		},
	});
