import type { MemberRow } from '../database-schema.ts';
import { membersError } from '../errors.ts';
import type { MemberStatus } from './schemas.ts';

/** State transitions of a member. Deletion is not listed: it is possible from every state, and repeatable. */
const steps = {
	approve: { from: 'PENDING', to: 'ACTIVE', done: 'approved' },
	suspend: { from: 'ACTIVE', to: 'SUSPENDED', done: 'suspended' },
	reinstate: { from: 'SUSPENDED', to: 'ACTIVE', done: 'reinstated' },
	restore: { from: 'INACTIVE', to: 'ACTIVE', done: 'restored' },
} as const satisfies Record<string, { from: MemberStatus; to: MemberStatus; done: string }>;

export type Step = keyof typeof steps;

/** @throws ApiError ILLEGAL_STATE_TRANSITION with `from`, `to`, and the allowed states and steps. */
export function requireStep(step: Step, from: MemberStatus): void {
	if (steps[step].from === from) return;
	const possible = Object.entries(steps).filter(([, { from: needed }]) => needed === from);
	throw membersError('ILLEGAL_STATE_TRANSITION', {
		message: `A member who is ${from} cannot be ${steps[step].done}.`,
		context: {
			from,
			to: steps[step].to,
			allowed: [...possible.map(([, { to }]) => to), ...(from === 'INACTIVE' ? [] : ['INACTIVE'])],
			allowedSteps: [...possible.map(([name]) => name), ...(from === 'INACTIVE' ? [] : ['delete'])],
		},
	});
}

type Shown = Pick<MemberRow, 'statusReason' | 'suspendedUntil' | 'updatedAt' | 'version'>;
type StoredState = Shown & Pick<MemberRow, 'status' | 'suspensionEndsAt' | 'deletedAt'>;

/** Stored state after deletion and the end of a suspension are applied. */
type CurrentState = Shown & { readonly status: MemberStatus };

/** The end of a suspension increments the version: with the old one a client would receive 304 for an outdated copy. */
export function currentState(stored: StoredState, now: Date): CurrentState {
	const { status, statusReason, suspendedUntil, version, updatedAt, suspensionEndsAt: endsAt } = stored;
	if (stored.deletedAt !== null)
		return { status: 'INACTIVE', statusReason: 'DELETED', suspendedUntil: null, updatedAt, version };
	if (status === 'SUSPENDED' && endsAt !== null && endsAt <= now) {
		return {
			status: 'ACTIVE',
			statusReason: null,
			suspendedUntil: null,
			updatedAt: new Date(Math.max(endsAt.getTime(), updatedAt.getTime())),
			version: version + 1,
		};
	}
	return { status, statusReason, suspendedUntil, updatedAt, version };
}
