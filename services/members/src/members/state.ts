import { membersError } from '../errors.ts';
import type { MemberStatus } from './schemas.ts';

/** State transitions of a member. Deletion is not listed: it is possible from every state, and repeatable. */
const steps = {
	approve: { from: 'PENDING', to: 'ACTIVE' },
	suspend: { from: 'ACTIVE', to: 'SUSPENDED' },
	reinstate: { from: 'SUSPENDED', to: 'ACTIVE' },
	restore: { from: 'INACTIVE', to: 'ACTIVE' },
} as const satisfies Record<string, { from: MemberStatus; to: MemberStatus }>;

export type Step = keyof typeof steps;

/** @throws ApiError ILLEGAL_STATE_TRANSITION with `from`, `to`, and the allowed states and steps. */
export function requireStep(step: Step, from: MemberStatus): void {
	if (steps[step].from === from) return;
	const possible = Object.entries(steps).filter(([, { from: needed }]) => needed === from);
	throw membersError('ILLEGAL_STATE_TRANSITION', {
		message: `A member who is ${from} cannot be ${pastOf[step]}.`,
		context: {
			from,
			to: steps[step].to,
			allowed: [...possible.map(([, { to }]) => to), ...(from === 'INACTIVE' ? [] : ['INACTIVE'])],
			allowedSteps: [...possible.map(([name]) => name), ...(from === 'INACTIVE' ? [] : ['delete'])],
		},
	});
}

const pastOf: Readonly<Record<Step, string>> = {
	approve: 'approved',
	suspend: 'suspended',
	reinstate: 'reinstated',
	restore: 'restored',
};
