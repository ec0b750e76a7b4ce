import { expect, test } from '@jest/globals';
import { requireStep } from './state.ts';

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
