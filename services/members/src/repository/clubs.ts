import { fail, type Page } from '@paddock/contract';
import {
	alphabetical,
	listPage,
	type Ordering,
	type Refusals,
	refusing,
	searchLines,
	searchPatterns,
	sorted,
} from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { sql } from 'kysely';
import type { ClubRow, MembersQueryable, NewClubRow } from '../database-schema.ts';
import { failMembers } from '../errors.ts';
import type { Club, ClubBody, ClubQuery } from '../schemas/club.ts';
import { addressColumns, toAddress } from './address-columns.ts';

type SortField = NonNullable<ClubQuery['sort']>[number]['field'];

const ordering: Ordering<SortField> = {
	name: alphabetical('name'),
	clubNumber: sql.ref('club_number'),
	stateCode: sql.ref('state_code'),
};
const defaultSort = [{ field: 'name', descending: false }] as const;

const refusals: Refusals = {
	clubs_club_number_key: (cause) => failMembers('CLUB_NUMBER_TAKEN', { cause }),
};

/** Without `sort`: hits at the beginning of a name or of the number before others, then by name. */
export async function listClubs(db: MembersQueryable, query: ClubQuery): Promise<Page<Club>> {
	let select = db.selectFrom('clubs').selectAll();
	if (query.status !== undefined) select = select.where('status', '=', query.status);
	if (query.stateCode !== undefined) select = select.where('state_code', '=', query.stateCode);
	if (query.q !== undefined) {
		const { prefix, infix } = searchPatterns(query.q);
		select = select.where(sql<boolean>`search_text like any (${infix})`);
		if (query.sort === undefined) select = select.orderBy(sql`search_text like any (${prefix})`, 'desc');
	}
	const ordered = sorted(select, query.sort ?? defaultSort, ordering).orderBy('id');
	return listPage(ordered, pageRequest(query), toClub);
}

export async function findClub(db: MembersQueryable, id: string): Promise<Club | undefined> {
	const row = await db.selectFrom('clubs').selectAll().where('id', '=', id).executeTakeFirst();
	return row === undefined ? undefined : toClub(row);
}

/** @throws ApiError NOT_FOUND */
export async function getClub(db: MembersQueryable, id: string): Promise<Club> {
	return orNotFound(await findClub(db, id));
}

/** Holds the row until the end of the transaction. @throws ApiError NOT_FOUND */
export async function lockClub(db: MembersQueryable, id: string): Promise<Club> {
	const row = await db.selectFrom('clubs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
	return orNotFound(row === undefined ? undefined : toClub(row));
}

/** Keeps the club as it is until the end of the transaction; others may do the same at the same time. */
export async function holdClub(db: MembersQueryable, id: string): Promise<Club | undefined> {
	const row = await db.selectFrom('clubs').selectAll().where('id', '=', id).forShare().executeTakeFirst();
	return row === undefined ? undefined : toClub(row);
}

/** @throws ApiError CLUB_NUMBER_TAKEN */
export async function insertClub(db: MembersQueryable, body: ClubBody): Promise<Club> {
	const insert = db.insertInto('clubs').values(clubRow(body)).returningAll();
	return toClub(await refusing(refusals, insert.executeTakeFirstOrThrow()));
}

/** @throws ApiError CLUB_NUMBER_TAKEN */
export async function updateClub(db: MembersQueryable, id: string, body: ClubBody): Promise<Club> {
	const update = db
		.updateTable('clubs')
		.set({ ...clubRow(body), version: sql`version + 1` })
		.where('id', '=', id)
		.returningAll();
	return toClub(await refusing(refusals, update.executeTakeFirstOrThrow()));
}

/** @throws ApiError CLUB_IN_USE while members, deleted ones too, belong to it. */
export async function deleteClub(db: MembersQueryable, id: string): Promise<void> {
	const inUse: Refusals = { members_home_club_id_fkey: (cause) => failMembers('CLUB_IN_USE', { cause }) };
	await refusing(inUse, db.deleteFrom('clubs').where('id', '=', id).execute());
}

/** The row of what a client or the demo writes. */
export function clubRow(body: ClubBody): NewClubRow {
	return {
		club_number: body.clubNumber,
		name: body.name,
		short_name: body.shortName,
		state_code: body.stateCode,
		...addressColumns(body.address),
		email: body.email,
		website: body.website,
		status: body.status,
		search_text: searchLines(body.name, body.shortName, body.clubNumber),
	};
}

function toClub(row: ClubRow): Club {
	return {
		id: row.id,
		clubNumber: row.club_number,
		name: row.name,
		shortName: row.short_name,
		stateCode: row.state_code,
		address: toAddress(row),
		email: row.email,
		website: row.website,
		status: row.status,
		version: row.version,
	};
}

function orNotFound(club: Club | undefined): Club {
	if (club === undefined) throw fail('NOT_FOUND', { message: 'There is no such club.' });
	return club;
}
