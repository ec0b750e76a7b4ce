import { advisoryLock, isOneOf, refusals, refusing } from '@paddock/database';
import { sql } from 'kysely';
import type { MemberRow, MembersQueryable, NewMemberSearchRow } from '../database-schema.ts';
import { membersError } from '../errors.ts';
import { memberSearchText } from './names.ts';
import { memberColumns, toMember } from './rows.ts';
import type { MemberFields, MemberStatus, WholeMember } from './schemas.ts';
import { currentState } from './state-rules.ts';

const taken = refusals(membersError, {
	members_membership_number_key: 'MEMBERSHIP_NUMBER_TAKEN',
	members_federation_number_key: 'FEDERATION_NUMBER_TAKEN',
	members_fei_id_key: 'FEI_ID_TAKEN',
});

export async function findMember(
	db: MembersQueryable,
	id: string,
	now: Date,
): Promise<WholeMember | undefined> {
	const row = await db.selectFrom('members').selectAll().where('id', '=', id).executeTakeFirst();
	return row === undefined ? undefined : toMember(row, now);
}

/** Returns INACTIVE also if the member does not exist. */
export async function findMemberStatus(db: MembersQueryable, id: string, now: Date): Promise<MemberStatus> {
	const row = await db
		.selectFrom('members')
		.select(['status', 'statusReason', 'suspendedUntil', 'suspensionEndsAt'])
		.select(['deletedAt', 'updatedAt', 'version'])
		.where('id', '=', id)
		.executeTakeFirst();
	return row === undefined ? 'INACTIVE' : currentState(row, now).status;
}

/** Whether the member exists, is not deleted and was born on that day at the latest. */
export async function isMemberBornBy(db: MembersQueryable, id: string, bornBy: string): Promise<boolean> {
	const row = await db
		.selectFrom('members')
		.select('id')
		.where('id', '=', id)
		.where('deletedAt', 'is', null)
		.where('dateOfBirth', '<=', bornBy)
		.executeTakeFirst();
	return row !== undefined;
}

/** Locks the row until the transaction ends; deleted members included. */
export async function lockMember(
	db: MembersQueryable,
	id: string,
	now: Date,
): Promise<WholeMember | undefined> {
	const row = await db.selectFrom('members').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
	return row === undefined ? undefined : toMember(row, now);
}

export async function listMembersByIds(
	db: MembersQueryable,
	ids: readonly string[],
	now: Date,
): Promise<WholeMember[]> {
	const rows = await db.selectFrom('members').selectAll().where(isOneOf('id', ids)).execute();
	return rows.map((row) => toMember(row, now));
}

/** Inserts a member in state PENDING. @throws ApiError if an identifier is taken. */
export async function insertMember(
	db: MembersQueryable,
	fields: MemberFields,
	duplicateSuspected: boolean,
	now: Date,
): Promise<WholeMember> {
	const insert = db
		.insertInto('members')
		.values({
			...memberColumns(fields),
			duplicateSuspected: duplicateSuspected,
			status: 'PENDING',
			createdAt: now,
			updatedAt: now,
		})
		.returningAll();
	const row = await refusing(taken, insert.executeTakeFirstOrThrow());
	await saveSearch(db, row);
	return toMember(row, now);
}

type StateChange = Readonly<Pick<MemberRow, 'status' | 'statusReason' | 'suspendedUntil' | 'deletedAt'>>;

export interface MemberChange {
	readonly fields?: MemberFields;
	readonly state?: StateChange;
	readonly duplicateSuspected?: boolean;
	/** Undoes a deletion and nothing else. */
	readonly restored?: true;
}

/** Increments the version of a locked member. @throws ApiError if an identifier is taken. */
export async function updateMember(
	db: MembersQueryable,
	locked: Pick<WholeMember, 'id' | 'version'>,
	{ fields, state, duplicateSuspected, restored }: MemberChange,
	now: Date,
): Promise<WholeMember> {
	const update = db
		.updateTable('members')
		.set({
			...(fields === undefined ? {} : memberColumns(fields)),
			...state,
			...(duplicateSuspected === undefined ? {} : { duplicateSuspected }),
			...(restored === true ? { deletedAt: null } : {}),
			updatedAt: now,
			version: locked.version + 1,
		})
		.where('id', '=', locked.id)
		.returningAll();
	const row = await refusing(taken, update.executeTakeFirstOrThrow());
	await saveSearch(db, row);
	return toMember(row, now);
}

/** Writes the search row of a member; must run in the transaction that wrote the row of the member. */
export async function saveSearch(db: MembersQueryable, row: MemberRow): Promise<void> {
	const { id, ...searched } = searchRow(row);
	await db
		.insertInto('memberSearch')
		.values({ id, ...searched })
		.onConflict((conflict) => conflict.column('id').doUpdateSet(searched))
		.execute();
}

export function searchRow(row: MemberRow): NewMemberSearchRow {
	const { id, sortName, status, suspensionEndsAt, deletedAt, membershipType, homeClubId } = row;
	const { nationality, stateCode, feePaidForYear, duplicateSuspected } = row;
	const searchText = memberSearchText(row);
	const filters = { membershipType, homeClubId, nationality, stateCode, feePaidForYear, duplicateSuspected };
	return { id, searchText, sortName, status, suspensionEndsAt, deletedAt, ...filters };
}

const clubNumberLength = 4;

/** After the highest or, once that is 9999, the lowest unassigned one; locks the numbers. @throws MEMBERSHIP_NUMBERS_USED_UP */
export async function nextMembershipNumber(db: MembersQueryable, clubNumber: string): Promise<string> {
	await holdMembershipNumbers(db, clubNumber);
	const { rows } = await sql<{ next: number | null }>`
		with given as (
			select right(membership_number, 4)::integer as running from members
			where membership_number between ${`${clubNumber}0000`} and ${`${clubNumber}9999`}
		), highest as (
			select coalesce(max(running), 0) as running from given
		)
		select case when highest.running < 9999 then highest.running + 1 else (
			select min(free) from generate_series(1, 9999) free where free not in (select running from given)
		) end as next from highest`.execute(db);
	const next = rows[0]?.next ?? null;
	if (next === null) throw membersError('MEMBERSHIP_NUMBERS_USED_UP');
	return `${clubNumber}${String(next).padStart(4, '0')}`;
}

/** Required for a number entered by hand too: it could be the next one to be assigned. */
export async function holdMembershipNumbers(db: MembersQueryable, number: string): Promise<void> {
	await advisoryLock(db, `membership numbers of ${number.slice(0, clubNumberLength)}`);
}
