import type { StoredStatus } from '../database-schema.ts';
import { membersError } from '../errors.ts';
import type { MemberStatus } from '../schemas/member.ts';

interface StoredState {
	readonly status: StoredStatus;
	readonly statusReason: string | null;
	readonly suspendedUntil: string | null;
	readonly suspensionEndsAt: Date | null;
	readonly deletedAt: Date | null;
	readonly updatedAt: Date;
	readonly version: number;
}

/** Stored state after deletion and the end of a suspension are applied. */
export interface CurrentState {
	readonly status: MemberStatus;
	readonly statusReason: string | null;
	readonly suspendedUntil: string | null;
	readonly updatedAt: Date;
	readonly version: number;
}

/**
 * State at `now`. A deleted member is INACTIVE. A suspension ends by itself, which counts as a change and increments
 * the version: with the old version a client would receive 304 (Not Modified) for an outdated copy.
 */
export function currentState(stored: StoredState, now: Date): CurrentState {
	const { version, updatedAt, suspensionEndsAt: endsAt } = stored;
	if (stored.deletedAt !== null)
		return { status: 'INACTIVE', statusReason: 'DELETED', suspendedUntil: null, updatedAt, version };
	if (stored.status === 'SUSPENDED' && endsAt !== null && endsAt <= now) {
		return {
			status: 'ACTIVE',
			statusReason: null,
			suspendedUntil: null,
			updatedAt: new Date(Math.max(endsAt.getTime(), updatedAt.getTime())),
			version: version + 1,
		};
	}
	return {
		status: stored.status,
		statusReason: stored.statusReason,
		suspendedUntil: stored.suspendedUntil,
		updatedAt,
		version,
	};
}

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
