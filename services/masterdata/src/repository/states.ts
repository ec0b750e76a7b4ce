import { fail, type Page } from '@paddock/contract';
import { alphabetical, listPage, type Ordering, sorted } from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { sql } from 'kysely';
import type { MasterdataQueryable, NewStateRow, StateRow } from '../database-schema.ts';
import type { State, StateBody, StateQuery } from '../schemas/state.ts';
import { unknownCountry, withKnownReferences } from './references.ts';
import { orInUse, orTaken } from './refusals.ts';

type SortField = NonNullable<StateQuery['sort']>[number]['field'];

const ordering: Ordering<SortField> = {
	countryCode: sql.ref('country_code'),
	iso3166_2: sql.ref('iso3166_2'),
	federationCode: sql.ref('federation_code'),
	name: alphabetical('name'),
};
const defaultSort = [
	{ field: 'countryCode', descending: false },
	{ field: 'name', descending: false },
] as const;
const takenCodes = {
	states_iso3166_2_key: 'STATE_CODE_TAKEN',
	// The same column leads both constraints, and either may be the one that PostgreSQL looks at first.
	states_iso3166_2_country_code_key: 'STATE_CODE_TAKEN',
	states_federation_code_key: 'FEDERATION_CODE_TAKEN',
} as const;

/** By country and name unless sorted otherwise. */
export async function listStates(db: MasterdataQueryable, query: StateQuery): Promise<Page<State>> {
	let select = db.selectFrom('states').selectAll();
	if (query.countryCode !== undefined) select = select.where('country_code', '=', query.countryCode);
	if (query.isActive !== undefined) select = select.where('is_active', '=', query.isActive);
	const ordered = sorted(select, query.sort ?? defaultSort, ordering).orderBy('id');
	return listPage(ordered, pageRequest(query), toState);
}

/** @throws ApiError NOT_FOUND */
export async function getState(db: MasterdataQueryable, id: string): Promise<State> {
	const row = await db.selectFrom('states').selectAll().where('id', '=', id).executeTakeFirst();
	return toState(orNotFound(row));
}

/** Holds the row until the end of the transaction. @throws ApiError NOT_FOUND */
export async function lockState(db: MasterdataQueryable, id: string): Promise<State> {
	const row = await db.selectFrom('states').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
	return toState(orNotFound(row));
}

/** @throws ApiError STATE_CODE_TAKEN, FEDERATION_CODE_TAKEN; VALIDATION_ERROR when there is no such country. */
export async function insertState(db: MasterdataQueryable, body: StateBody): Promise<State> {
	const insert = db.insertInto('states').values(stateRow(body)).returningAll();
	return toState(await orTaken(withKnownCountry(insert.executeTakeFirstOrThrow()), takenCodes));
}

/** @throws ApiError as insertState; STATE_IN_USE when a code changes that venues refer to. */
export async function updateState(db: MasterdataQueryable, id: string, body: StateBody): Promise<State> {
	const update = db
		.updateTable('states')
		.set({ ...stateRow(body), version: sql`version + 1` })
		.where('id', '=', id)
		.returningAll();
	const written = orInUse(
		withKnownCountry(update.executeTakeFirstOrThrow()),
		'STATE_IN_USE',
		'Venues refer to the ISO 3166-2 code of the state, so it cannot change.',
	);
	return toState(await orTaken(written, takenCodes));
}

/** @throws ApiError STATE_IN_USE */
export async function deleteState(db: MasterdataQueryable, id: string): Promise<void> {
	await orInUse(db.deleteFrom('states').where('id', '=', id).execute(), 'STATE_IN_USE');
}

/** The row of what a client or the seed writes. */
export function stateRow(body: StateBody): NewStateRow {
	return {
		country_code: body.countryCode,
		iso3166_2: body.iso3166_2,
		federation_code: body.federationCode,
		name: body.name,
		abbreviation: body.abbreviation,
		is_active: body.isActive,
	};
}

function withKnownCountry<Result>(write: Promise<Result>): Promise<Result> {
	return withKnownReferences(write, { states_country_code_fkey: unknownCountry });
}

function toState(row: StateRow): State {
	return {
		id: row.id,
		countryCode: row.country_code,
		iso3166_2: row.iso3166_2,
		federationCode: row.federation_code,
		name: row.name,
		abbreviation: row.abbreviation,
		isActive: row.is_active,
		version: row.version,
	};
}

function orNotFound(row: StateRow | undefined): StateRow {
	if (row === undefined) throw fail('NOT_FOUND', { message: 'There is no such state.' });
	return row;
}
