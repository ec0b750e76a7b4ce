import type { MemberRow } from '../database-schema.ts';
import type { MemberStatus } from './schemas.ts';

type Shown = Pick<MemberRow, 'statusReason' | 'suspendedUntil' | 'updatedAt' | 'version'>;
type StoredState = Shown & Pick<MemberRow, 'status' | 'suspensionEndsAt' | 'deletedAt'>;

/** Stored state after deletion and the end of a suspension are applied. */
type CurrentState = Shown & { readonly status: MemberStatus };

/**
 * State at `now`. A deleted member is INACTIVE. A suspension ends by itself, which counts as a change and increments
 * the version: with the old version a client would receive 304 (Not Modified) for an outdated copy.
 */
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
