import { z } from 'zod';

/** A Date; in JSON an ISO 8601 instant. */
export const instantDate = z.date().meta({ type: 'string', format: 'date-time' });

export const overrideFields = {
	reason: z.string().describe('Reason that the administrator gave.'),
	by: z.string().describe('UUID of the administrator’s account.'),
	byName: z.string().optional().describe('Name of the administrator when the override was set.'),
	until: instantDate.describe('When the override ends, in UTC.'),
};

export const breakerFields = {
	state: z
		.enum(['CLOSED', 'OPEN', 'HALF_OPEN'])
		.meta({ id: 'BreakerState', description: 'State of a circuit breaker.' }),
	since: instantDate.describe('When the state began, in UTC.'),
	failureRate: z
		.number()
		.min(0)
		.max(1)
		.optional()
		.meta({ description: 'Share of failures in the window, 0 to 1; absent without a result.' }),
	nextTryAt: instantDate.optional().meta({
		description:
			'When an open breaker may become half-open, or one that is forced open admits requests again.',
	}),
	forced: z
		.strictObject(overrideFields)
		.meta({ id: 'BreakerOverride', description: 'Override by an administrator; absent without one.' })
		.optional(),
};

export const breaker = z.strictObject(breakerFields).meta({
	id: 'Breaker',
	description: 'Circuit breaker of one instance.',
	example: { state: 'CLOSED', since: '2026-03-01T08:00:00.000Z', failureRate: 0 },
});
