import { z } from 'zod';
import { instantDate } from './breaker-schemas.ts';
import { combinedHealth, healthStatus } from './health-schemas.ts';

export const stateChange = z
	.strictObject({
		at: instantDate.describe('When the state changed, in UTC.'),
		context: z.string().meta({ description: 'Name of a context, `discovery` or `gateway`.' }),
		contexts: z
			.array(z.string())
			.readonly()
			.optional()
			.meta({ description: 'All contexts that changed for this cause within ten seconds; absent for one.' }),
		instance: z
			.string()
			.optional()
			.describe('Id of the instance; absent for changes of the whole context or of several.'),
		what: z
			.enum(['breaker', 'health', 'discovery', 'instances'])
			.meta({ id: 'StateChangeSubject', description: 'What changed.' }),
		from: z.string().describe('State before.'),
		to: z.string().describe('State after.'),
		cause: z.string().optional().describe('Cause for operators; absent if unknown.'),
		check: z
			.string()
			.optional()
			.meta({ description: 'Dependency that failed or recovered, such as `database`; absent without one.' }),
	})
	.meta({
		id: 'StateChange',
		description: 'One change of state.',
		example: {
			at: '2026-03-01T08:15:00.000Z',
			context: 'masterdata',
			instance: 'masterdata-service-10.0.0.7-8083',
			what: 'breaker',
			from: 'CLOSED',
			to: 'OPEN',
			cause: 'responded with 503',
		},
	});

const changes = z.array(stateChange).max(100).describe('Changes, the latest first.');

export const healthHistory = z
	.strictObject({ items: changes })
	.meta({ id: 'HealthHistory', description: 'Last changes of state.' });

export const healthEvent = z
	.strictObject({
		health: combinedHealth,
		history: changes,
		at: instantDate.describe('When the event was sent, in UTC.'),
	})
	.meta({ id: 'HealthEvent', description: 'Data of one server-sent event.' });

const exampleSample = { at: '2026-03-01T08:15:00.000Z', status: 'UP', latencyMs: 3.2 };

const latencySample = z
	.strictObject({
		at: instantDate.meta({ description: 'Begin of the slot, in UTC.' }),
		status: healthStatus.meta({ description: 'Worst status of the slot.' }),
		latencyMs: z
			.number()
			.min(0)
			.nullable()
			.meta({ description: 'Slowest probe of the slot in milliseconds; null without a response.' }),
	})
	.meta({
		id: 'LatencySample',
		description: 'Health of a context in one slot of time.',
		example: exampleSample,
	});

export type LatencySample = z.output<typeof latencySample>;

export const latencySamples = z
	.strictObject({
		slotMs: z.int().min(1).describe('Length of a slot in milliseconds.'),
		slotsMax: z.int().min(1).describe('Maximum number of slots.'),
		contexts: z
			.record(z.string(), z.array(latencySample))
			.meta({ description: 'By context, the oldest first; empty without the right to details.' }),
	})
	.meta({
		id: 'LatencySamples',
		description: 'Latency and status per context over the last minutes.',
		example: { slotMs: 10_000, slotsMax: 90, contexts: { masterdata: [exampleSample] } },
	});
