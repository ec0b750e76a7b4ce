import { dayInVienna } from '@paddock/calendar';
import { requestMail } from '@paddock/context';
import { refuseInvalid } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import type { MailDeclaration } from '@paddock/mail';
import { type RecordCall, requireVersion } from '@paddock/service';
import { sql } from 'kysely';
import type { MembersQueryable } from '../database-schema.ts';
import type { MembersDeps } from '../deps.ts';
import { membersError } from '../errors.ts';
import { viewerFor } from './caller.ts';
import { checkDuplicates } from './check-duplicates.ts';
import { memberApproved, memberSuspended } from './membership-texts.ts';
import type { DuplicateQuery, Suspension } from './query-schemas.ts';
import { requireVisible, shownTo, type Viewer } from './rules.ts';
import type { Member, WholeMember } from './schemas.ts';
import { requireStep, type Step } from './state-rules.ts';
import { findMember, lockMember, type MemberChange, updateMember } from './store.ts';

const active = { status: 'ACTIVE', statusReason: null, suspendedUntil: null, deletedAt: null } as const;

const changes = {
	reinstate: { state: active },
	// Restores the previous state: a deletion must not be a way around an approval or the end of a suspension.
	restore: { restored: true },
} as const satisfies Partial<Record<Step, MemberChange>>;

/** Reinstates or restores. @throws ApiError ILLEGAL_STATE_TRANSITION among others, see the routes. */
export function takeStep(step: keyof typeof changes, call: RecordCall, deps: MembersDeps): Promise<Member> {
	return change(step, call, deps, async () => changes[step]);
}

interface Approval extends RecordCall {
	readonly query: DuplicateQuery;
}

/** @throws ApiError POSSIBLE_DUPLICATE with the candidates of a suspected duplicate, unless confirmed; see the route. */
export function approveMember(call: Approval, deps: MembersDeps): Promise<Member> {
	const { query, now } = call;
	const confirmed = query.confirmDuplicate ?? false;
	return change(
		'approve',
		call,
		deps,
		async (transaction, member, viewer) => {
			if (member.duplicateSuspected)
				await checkDuplicates(transaction, { person: member, exceptId: member.id, viewer, confirmed, now });
			return { state: active, duplicateSuspected: false };
		},
		(transaction, { id, membershipNumber }) =>
			tell(deps, transaction, id, memberApproved, { membershipNumber }),
	);
}

/** @throws ApiError VALIDATION_ERROR if the suspension would end before today; see the route for others. */
export async function suspendMember(call: RecordCall<Suspension>, deps: MembersDeps): Promise<Member> {
	const { statusReason, suspendedUntil } = call.body;
	if (suspendedUntil !== null && suspendedUntil < dayInVienna(call.now))
		refuseInvalid([{ field: 'suspendedUntil', code: 'INVALID_RANGE', message: 'must not lie in the past' }]);
	const state = { status: 'SUSPENDED', statusReason, suspendedUntil, deletedAt: null } as const;
	return change(
		'suspend',
		call,
		deps,
		async () => ({ state }),
		(transaction, { id }) =>
			tell(deps, transaction, id, memberSuspended, { reason: statusReason, until: suspendedUntil }),
	);
}

async function change(
	step: Step,
	call: RecordCall,
	{ db }: MembersDeps,
	changeOf: (transaction: MembersQueryable, member: WholeMember, viewer: Viewer) => Promise<MemberChange>,
	accompany?: (transaction: MembersQueryable, changed: WholeMember) => Promise<void>,
): Promise<Member> {
	const { params, preconditions, now } = call;
	const viewer = await viewerFor(call, { db });
	return inTransaction(db, async (transaction) => {
		const { member, rights } = requireVisible(await lockMember(transaction, params.id, now), viewer);
		requireVersion(preconditions, member.version);
		requireStep(step, member.status);
		const change = await changeOf(transaction, member, viewer);
		const changed = await updateMember(transaction, member, change, now);
		await accompany?.(transaction, changed);
		return shownTo(rights, changed);
	});
}

async function tell<Data extends object>(
	{ jobs }: Pick<MembersDeps, 'jobs'>,
	transaction: MembersQueryable,
	memberId: string,
	mail: MailDeclaration<Data>,
	data: Data,
): Promise<void> {
	if (jobs === undefined) return;
	await requestMail({ jobs, transaction }, mail, { data, recipients: [{ memberId }] });
}

/** Idempotent regardless of `If-Match` (RFC 9110 §13.1.1): a retry must not fail. @throws ApiError, see the route. */
export async function deleteMember(call: RecordCall, deps: MembersDeps): Promise<Member> {
	const { id } = call.params;
	const { db, openEntries, countOwnedHorses } = deps;
	const { preconditions, now } = call;
	const viewer = await viewerFor(call, { db });
	const { member: seen, rights } = requireVisible(await findMember(db, id, now), viewer);
	if (seen.status === 'INACTIVE') return shownTo(rights, seen);
	requireVersion(preconditions, seen.version);
	const [hasEntries, horses = 0] = await Promise.all([
		openEntries?.hasAny({ memberId: id }, call),
		countOwnedHorses?.(id, call),
	]);
	if (hasEntries) throw membersError('MEMBER_HAS_OPEN_ENTRIES');
	if (horses > 0) throw membersError('MEMBER_OWNS_HORSES', { context: { horses } });
	return inTransaction(db, async (transaction) => {
		const { member } = requireVisible(await lockMember(transaction, id, now), viewer);
		const { status, statusReason, suspendedUntil } = member;
		if (status === 'INACTIVE') return shownTo(rights, member);
		requireVersion(preconditions, member.version);
		const state = { status, statusReason, suspendedUntil, deletedAt: now };
		return shownTo(rights, await updateMember(transaction, member, { state }, now));
	});
}

const batchMax = 500;

/** As `currentState` shows them, so that lists of changes are read along their index. Locked ones are left to the next run. */
export async function endSuspensions(db: MembersQueryable, now: Date): Promise<void> {
	let written = batchMax;
	while (written === batchMax) {
		const { rows } = await sql`
			with ended as (
				select id from members
				where suspension_ends_at <= ${now} and status = 'SUSPENDED' and deleted_at is null
				order by suspension_ends_at limit ${sql.lit(batchMax)} for no key update skip locked
			), written as (
				update members set
					status = 'ACTIVE', status_reason = null, suspended_until = null,
					updated_at = greatest(updated_at, suspension_ends_at), version = version + 1
				from ended where members.id = ended.id
				returning members.id
			)
			update member_search set status = 'ACTIVE', suspension_ends_at = null
			from written where member_search.id = written.id
			returning member_search.id`.execute(db);
		written = rows.length;
	}
}
