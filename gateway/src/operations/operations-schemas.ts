import { z } from 'zod';
import { breakerFields, instantDate } from '../health/health-schemas.ts';

export const metricNames = z
	.strictObject({ names: z.array(z.string()) })
	.meta({ id: 'MetricNames', example: { names: ['gateway_requests_total'] } });

export const metric = z
	.strictObject({
		name: z.string(),
		description: z.string(),
		baseUnit: z.string().nullable(),
		measurements: z.array(
			z.strictObject({ statistic: z.enum(['VALUE', 'COUNT', 'TOTAL']), value: z.number() }),
		),
		availableTags: z.array(z.strictObject({ tag: z.string(), values: z.array(z.string()) })),
	})
	.meta({
		id: 'Metric',
		example: {
			name: 'gateway_requests_total',
			description: 'HTTP requests that have ended, by route, method and status.',
			baseUnit: null,
			measurements: [{ statistic: 'COUNT', value: 1234 }],
			availableTags: [{ tag: 'route', values: ['/api/masterdata'] }],
		},
	});

export const info = z
	.strictObject({
		application: z.strictObject({ name: z.string(), version: z.string() }),
		build: z.strictObject({
			time: z.string().nullable().meta({ description: 'Null for a checkout, which is not built.' }),
		}),
		git: z.strictObject({ commit: z.string().nullable(), branch: z.string().nullable() }),
		node: z.strictObject({ version: z.string() }),
		contexts: z.array(z.strictObject({ name: z.string(), url: z.string(), critical: z.boolean() })),
		uptimeSeconds: z.int().min(0),
	})
	.meta({
		id: 'Info',
		example: {
			application: { name: 'paddock-gateway', version: '0.1.0' },
			build: { time: '2026-03-01T06:00:00.000Z' },
			git: { commit: '0c2b7f0c1d8e4a52b8a0c5a3f1de6a7790b4c1d2', branch: null },
			node: { version: 'v24.21.0' },
			contexts: [{ name: 'masterdata', url: '/api/masterdata', critical: true }],
			uptimeSeconds: 86_400,
		},
	});

export const scrapeTargets = z
	.array(
		z.strictObject({
			targets: z.array(z.string()).length(1),
			labels: z.strictObject({ job: z.string(), instance: z.string(), __metrics_path__: z.string() }),
		}),
	)
	.meta({
		id: 'ScrapeTargets',
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

const listedBreaker = z.strictObject({
	context: z.string(),
	instance: z.string(),
	address: z.string(),
	...breakerFields,
});

const standingOrder = z.strictObject({
	target: z.strictObject({ context: z.string(), instance: z.string().optional() }),
	state: z.enum(['OPEN', 'CLOSED']),
	reason: z.string(),
	by: z.string().meta({ description: 'The id of the user who gave it.' }),
	at: instantDate,
	until: instantDate,
});

const exampleOrder = {
	reason: 'maintenance of its database',
	by: '7b0c3a52-3f5e-4f0e-9f5f-0d6a9c1f2b11',
	until: '2026-03-01T08:25:00.000Z',
};

export const breakerList = z
	.strictObject({ breakers: z.array(listedBreaker), orders: z.array(standingOrder) })
	.meta({
		id: 'BreakerList',
		example: {
			breakers: [
				{
					context: 'masterdata',
					instance: 'masterdata-service-10.0.0.7-8083',
					address: '10.0.0.7:8083',
					state: 'OPEN',
					since: '2026-03-01T08:15:00.000Z',
					nextTryAt: '2026-03-01T08:25:00.000Z',
					forced: exampleOrder,
				},
			],
			orders: [
				{
					target: { context: 'masterdata' },
					state: 'OPEN',
					at: '2026-03-01T08:15:00.000Z',
					...exampleOrder,
				},
			],
		},
	});
