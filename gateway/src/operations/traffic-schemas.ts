import { z } from 'zod';
import { instantDate } from '../health/breaker-schemas.ts';

const exampleSample = {
	at: '2026-03-01T08:15:00.000Z',
	seconds: 10,
	requests: 120,
	errors: 1,
	p50Ms: 4.2,
	p95Ms: 31,
};

const percentileMs = z.number().min(0).nullable();

const trafficSample = z
	.strictObject({
		at: instantDate.meta({ description: 'Begin of the interval, in UTC.' }),
		seconds: z.number().min(0).describe('Length of the interval.'),
		requests: z.int().min(0).describe('Requests that ended in it.'),
		errors: z.int().min(0).describe('Those with a 5xx status.'),
		p50Ms: percentileMs.meta({ description: 'Median duration in milliseconds; null without a request.' }),
		p95Ms: percentileMs.meta({ description: '95th percentile in milliseconds; null without a request.' }),
	})
	.meta({
		id: 'TrafficSample',
		description:
			'Requests to a context in one interval. Percentiles are interpolated within the buckets of the gateway’s histogram, at most 10 s.',
		example: exampleSample,
	});

export type TrafficSample = z.output<typeof trafficSample>;

const refusalCount = z
	.strictObject({
		code: z.string().describe('Error code.'),
		count: z.int().min(1).describe('Responses with it.'),
	})
	.meta({ id: 'RefusalCount', description: 'Number of error responses with one code.' });

export type RefusalCount = z.output<typeof refusalCount>;

export const traffic = z
	.strictObject({
		intervalMs: z.int().min(1).describe('Length of an interval in milliseconds.'),
		intervalsMax: z.int().min(1).describe('Maximum number of intervals.'),
		contexts: z
			.record(z.string(), z.array(trafficSample))
			.meta({ description: 'By context, the oldest first; empty without the right to details.' }),
		refusals: z.array(refusalCount).max(10).meta({
			description:
				'Most frequent codes of the gateway’s own error responses in all kept intervals; empty without the right to details.',
		}),
	})
	.meta({
		id: 'Traffic',
		description: 'Requests per context over the last minutes, as this gateway has measured them.',
		example: {
			intervalMs: 10_000,
			intervalsMax: 90,
			contexts: { masterdata: [exampleSample] },
			refusals: [{ code: 'RATE_LIMITED', count: 12 }],
		},
	});
