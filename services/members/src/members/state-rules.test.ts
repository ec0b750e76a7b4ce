import { describe, expect, test } from '@jest/globals';
import { currentState, requireStep } from './state-rules.ts';

test('a step is possible from its state only, and a refusal names the possible ones', () => {
	expect(() => requireStep('approve', 'PENDING')).not.toThrow();
	expect(() => requireStep('approve', 'SUSPENDED')).toThrow(
		expect.objectContaining({
			code: 'ILLEGAL_STATE_TRANSITION',
			status: 409,
			context: {
				from: 'SUSPENDED',
				to: 'ACTIVE',
				allowed: ['ACTIVE', 'INACTIVE'],
				allowedSteps: ['reinstate', 'delete'],
			},
		}),
	);
});

const endsAt = new Date('2026-05-02T22:00:00Z');
const suspended = {
	status: 'SUSPENDED',
	statusReason: 'x',
	suspendedUntil: '2026-05-02',
	suspensionEndsAt: endsAt,
	deletedAt: null,
	updatedAt: new Date('2026-04-01T00:00:00Z'),
	version: 3,
} as const;

describe('the state at an instant', () => {
	test('is SUSPENDED until the last day is over, and ACTIVE in a new version from then on', () => {
		expect(currentState(suspended, new Date(endsAt.getTime() - 1))).toMatchObject({
			status: 'SUSPENDED',
			version: 3,
		});
		expect(currentState(suspended, endsAt)).toEqual({
			status: 'ACTIVE',
			statusReason: null,
			suspendedUntil: null,
			updatedAt: endsAt,
			version: 4,
		});
	});

	test('stays SUSPENDED without a last day', () => {
		const open = { ...suspended, suspendedUntil: null, suspensionEndsAt: null };
		expect(currentState(open, new Date('2099-01-01')).status).toBe('SUSPENDED');
	});

	test('is INACTIVE once deleted, and the clock changes nothing more', () => {
		const deleted = { ...suspended, deletedAt: new Date('2026-05-01') };
		expect(currentState(deleted, new Date('2099-01-01'))).toMatchObject({
			status: 'INACTIVE',
			statusReason: 'DELETED',
			version: 3,
		});
	});
});
