import { actingForMember, type FieldError, refuseInvalid } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import { requireVersion, type Update, type UpdateCall } from '@paddock/service';
import type { MembersQueryable } from '../database-schema.ts';
import type { MembersDeps } from '../deps.ts';
import { membersError } from '../errors.ts';
import { holdHomeClub, referenceErrors } from '../peers/references.ts';
import { type Caller, callerOf } from './caller.ts';
import { changedMemberFields, clearedFields } from './change-rules.ts';
import { checkDuplicates, type DuplicateSearch, isSamePerson } from './check-duplicates.ts';
import { recordConsents } from './consents.ts';
import type { DuplicateQuery } from './query-schemas.ts';
import {
	dateErrors,
	isWard,
	type Rights,
	requireGuardian,
	requireOwnClub,
	requireVisible,
	shownTo,
	writingRights,
} from './rules.ts';
import type { Member, MemberBody, MemberFields, WholeMember } from './schemas.ts';
import { findMember, holdMembershipNumbers, lockMember, updateMember } from './store.ts';

interface MemberUpdate extends UpdateCall<MemberBody> {
	readonly query: DuplicateQuery;
}

/** Other contexts are called before the row is locked; everything else is decided under the lock. @throws ApiError, see the route. */
export async function changeMember(call: MemberUpdate, deps: MembersDeps): Promise<Member> {
	const { params, query, update } = call;
	const { id } = params;
	const confirmed = query.confirmDuplicate ?? false;
	const caller = await callerOf(deps.db, call);
	const { viewer, now } = caller;
	const seen = requireVisible(await findMember(deps.db, id, now), viewer);
	if (isWard(viewer, seen.member)) actingForMember(id);
	const fields = changedFields(seen, update, caller);
	refuseInvalid([
		...changedDateErrors(fields, seen.member, now),
		...(await referenceErrors(deps, fields, seen.member, caller)),
	]);
	return inTransaction(deps.db, async (transaction) => {
		const locked = requireVisible(await lockMember(transaction, id, now), viewer);
		const changed = changedFields(locked, update, caller);
		const { member, rights } = locked;
		refuseInvalid(changedDateErrors(changed, member, now));
		requireGuardian(changed, now);
		const duplicateSuspected = await isSuspected(transaction, changed, member, { viewer, confirmed, now });
		const { homeClubId } = changed;
		if (homeClubId !== null && homeClubId !== member.homeClubId) await holdHomeClub(transaction, homeClubId);
		if (changed.membershipNumber !== member.membershipNumber)
			await holdMembershipNumbers(transaction, changed.membershipNumber);
		const change = { fields: changed, duplicateSuspected, ...stateOf(member) };
		const updated = await updateMember(transaction, member, change, now);
		await recordConsents(transaction, updated, member.consents, call);
		return shownTo(rights, updated);
	});
}

function changedFields(
	{ member, rights }: { member: WholeMember; rights: Rights },
	update: Update<MemberBody>,
	{ viewer, now, preconditions }: Caller,
): MemberFields {
	if (member.status === 'INACTIVE') throw membersError('MEMBER_INACTIVE');
	requireVersion(preconditions, member.version);
	const writeRights = writingRights(viewer, rights, member);
	const body = { ...clearedFields(update.named), ...update.onto(shownTo(rights, member)) };
	const fields = changedMemberFields(member, body, writeRights, now);
	requireOwnClub(writeRights, viewer, fields.homeClubId);
	return fields;
}

/** Only the office resolves a suspicion: its next change reports the candidates, as does a change of name or birth date by any caller. */
async function isSuspected(
	db: MembersQueryable,
	changed: MemberFields,
	member: WholeMember,
	by: Pick<DuplicateSearch, 'viewer' | 'confirmed' | 'now'>,
): Promise<boolean> {
	const isDecision = by.viewer.isOffice && member.duplicateSuspected;
	if (!isDecision && isSamePerson(changed, member)) return member.duplicateSuspected;
	return checkDuplicates(db, { person: changed, exceptId: member.id, ...by });
}

/** Unchanged dates are not validated again: a member who was 110 when it was allowed may be older today. */
function changedDateErrors(changed: MemberFields, stored: MemberFields, now: Date): readonly FieldError[] {
	const isSame = changed.dateOfBirth === stored.dateOfBirth && changed.joinDate === stored.joinDate;
	return isSame ? [] : dateErrors(changed, now);
}

/** Stores the end of an expired suspension with the next change. */
function stateOf(member: WholeMember) {
	const { status, statusReason, suspendedUntil } = member;
	if (status === 'INACTIVE') return {};
	return { state: { status, statusReason, suspendedUntil, deletedAt: null } };
}
