import { dayInVienna } from '@paddock/calendar';
import { apiError } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import { requireVersion } from '@paddock/service';
import type { MembersQueryable } from '../database-schema.ts';
import type { MembersDeps } from '../deps.ts';
import { membersError } from '../errors.ts';
import { checkDuplicates } from '../repository/duplicates.ts';
import { findMember, lockMember, type MemberChange, updateMember } from '../repository/members.ts';
import { requireStep, type Step } from '../rules/member-state.ts';
import type { WholeMember } from '../schemas/member.ts';
import { type Caller, requireVisible } from './caller.ts';

interface Target {
	readonly id: string;
	readonly ifMatch: readonly number[] | undefined;
}

interface Suspension {
	readonly reason: string;
	/** `YYYY-MM-DD`, the last day in Austria. */
	readonly until: string | null;
}

const active = { status: 'ACTIVE', statusReason: null, suspendedUntil: null, deletedAt: null } as const;

const changes = {
	reinstate: { state: active },
	// Restores the previous state: a deletion must not be a way around an approval or the end of a suspension.
	restore: { restored: true },
} as const satisfies Partial<Record<Step, MemberChange>>;

/** Reinstates or restores. @throws ApiError ILLEGAL_STATE_TRANSITION among others, see the routes. */
export function takeStep(
	deps: MembersDeps,
	caller: Caller,
	target: Target,
	step: keyof typeof changes,
): Promise<WholeMember> {
	return change(deps, caller, target, step, async () => changes[step]);
}

/**
 * Approves a new member. @throws ApiError POSSIBLE_DUPLICATE with the candidates of a suspected duplicate, unless
 * confirmed; see the route for others.
 */
export function approveMember(
	deps: MembersDeps,
	caller: Caller,
	target: Target,
	confirmed: boolean,
): Promise<WholeMember> {
	const { viewer, now } = caller;
	return change(deps, caller, target, 'approve', async (transaction, member) => {
		if (member.duplicateSuspected)
			await checkDuplicates(transaction, { person: member, exceptId: member.id, viewer, confirmed, now });
		return { state: active, duplicateSuspected: false };
	});
}

/** @throws ApiError VALIDATION_ERROR if the suspension would end before today; see the route for others. */
export async function suspendMember(
	deps: MembersDeps,
	caller: Caller,
	target: Target,
	{ reason, until }: Suspension,
): Promise<WholeMember> {
	if (until !== null && until < dayInVienna(caller.now)) {
		throw apiError('VALIDATION_ERROR', {
			errors: [{ field: 'until', code: 'INVALID_RANGE', message: 'must not lie in the past' }],
		});
	}
	const state = {
		status: 'SUSPENDED',
		statusReason: reason,
		suspendedUntil: until,
		deletedAt: null,
	} as const;
	return change(deps, caller, target, 'suspend', async () => ({ state }));
}

function change(
	{ db }: MembersDeps,
	{ viewer, now }: Caller,
	{ id, ifMatch }: Target,
	step: Step,
	changeOf: (transaction: MembersQueryable, member: WholeMember) => Promise<MemberChange>,
): Promise<WholeMember> {
	return inTransaction(db, async (transaction) => {
		const { member } = requireVisible(await lockMember(transaction, id, now), viewer);
		requireVersion(ifMatch, member.version);
		requireStep(step, member.status);
		return updateMember(transaction, member, await changeOf(transaction, member), now);
	});
}

/**
 * Soft-deletes a member. Idempotent: a deleted member is returned unchanged regardless of `If-Match`, since the
 * requested state already exists (RFC 9110 §13.1.1 allows that) and a retry must not fail.
 * @throws ApiError MEMBER_HAS_OPEN_ENTRIES and MEMBER_OWNS_HORSES among others, see the route.
 */
export async function deleteMember(
	{ db, openEntries, ownedHorses }: MembersDeps,
	{ viewer, now, authorization, context }: Caller,
	{ id, ifMatch }: Target,
): Promise<WholeMember> {
	const { member: seen } = requireVisible(await findMember(db, id, now), viewer);
	if (seen.status === 'INACTIVE') return seen;
	requireVersion(ifMatch, seen.version);
	const [hasEntries, horses] = await Promise.all([
		openEntries.hasAny({ memberId: id }, authorization, context),
		ownedHorses.count(id, context),
	]);
	if (hasEntries) throw membersError('MEMBER_HAS_OPEN_ENTRIES');
	if (horses > 0) throw membersError('MEMBER_OWNS_HORSES', { context: { horses } });
	return inTransaction(db, async (transaction) => {
		const { member } = requireVisible(await lockMember(transaction, id, now), viewer);
		const { status, statusReason, suspendedUntil } = member;
		if (status === 'INACTIVE') return member;
		requireVersion(ifMatch, member.version);
		const state = { status, statusReason, suspendedUntil, deletedAt: now };
		return updateMember(transaction, member, { state }, now);
	});
}
