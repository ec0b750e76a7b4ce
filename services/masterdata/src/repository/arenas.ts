import { fail, type Page } from '@paddock/contract';
import { alphabetical, isForeignKeyViolation, listPage, type Ordering, sorted } from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { sql } from 'kysely';
import type { ArenaRow, MasterdataQueryable, NewArenaRow } from '../database-schema.ts';
import type { Arena, ArenaBody, ArenaQuery } from '../schemas/arena.ts';
import { orTaken } from './refusals.ts';
import { getVenue } from './venues.ts';

type SortField = NonNullable<ArenaQuery['sort']>[number]['field'];

/** Where an arena is found: `id` is the venue's. */
interface ArenaPath {
	id: string;
	arenaId: string;
}

const ordering: Ordering<SortField> = {
	name: alphabetical('name'),
	type: sql.ref('type'),
	lengthM: sql.ref('length_m'),
	widthM: sql.ref('width_m'),
};
const defaultSort = [{ field: 'name', descending: false }] as const;
const takenCodes = { arenas_venue_id_name_key: 'ARENA_NAME_TAKEN' } as const;

/** By name unless sorted otherwise. @throws ApiError NOT_FOUND when there is no such venue. */
export async function listArenas(
	db: MasterdataQueryable,
	venueId: string,
	query: ArenaQuery,
): Promise<Page<Arena>> {
	const select = db.selectFrom('arenas').selectAll().where('venue_id', '=', venueId);
	const ordered = sorted(select, query.sort ?? defaultSort, ordering).orderBy('id');
	const page = await listPage(ordered, pageRequest(query), toArena);
	if (page.pagination.totalElements === 0) await getVenue(db, venueId);
	return page;
}

/** @throws ApiError NOT_FOUND */
export async function getArena(db: MasterdataQueryable, { id, arenaId }: ArenaPath): Promise<Arena> {
	const row = await db
		.selectFrom('arenas')
		.selectAll()
		.where('venue_id', '=', id)
		.where('id', '=', arenaId)
		.executeTakeFirst();
	return toArena(orNotFound(row));
}

/** Holds the row until the end of the transaction. @throws ApiError NOT_FOUND */
export async function lockArena(db: MasterdataQueryable, { id, arenaId }: ArenaPath): Promise<Arena> {
	const row = await db
		.selectFrom('arenas')
		.selectAll()
		.where('venue_id', '=', id)
		.where('id', '=', arenaId)
		.forUpdate()
		.executeTakeFirst();
	return toArena(orNotFound(row));
}

/** @throws ApiError ARENA_NAME_TAKEN; NOT_FOUND when there is no such venue. */
export async function insertArena(db: MasterdataQueryable, venueId: string, body: ArenaBody): Promise<Arena> {
	const insert = db.insertInto('arenas').values(arenaRow(venueId, body)).returningAll();
	try {
		return toArena(await orTaken(insert.executeTakeFirstOrThrow(), takenCodes));
	} catch (error) {
		if (!isForeignKeyViolation(error, 'arenas_venue_id_fkey')) throw error;
		throw fail('NOT_FOUND', { message: 'There is no such venue.', cause: error });
	}
}

/** @throws ApiError ARENA_NAME_TAKEN */
export async function updateArena(
	db: MasterdataQueryable,
	{ id, arenaId }: ArenaPath,
	body: ArenaBody,
): Promise<Arena> {
	const update = db
		.updateTable('arenas')
		.set({ ...arenaRow(id, body), version: sql`version + 1` })
		.where('id', '=', arenaId)
		.returningAll();
	return toArena(await orTaken(update.executeTakeFirstOrThrow(), takenCodes));
}

export async function deleteArena(db: MasterdataQueryable, arenaId: string): Promise<void> {
	await db.deleteFrom('arenas').where('id', '=', arenaId).execute();
}

/** The row of what a client or the demo writes. */
export function arenaRow(venueId: string, body: ArenaBody): NewArenaRow {
	return {
		venue_id: venueId,
		name: body.name,
		type: body.type,
		length_m: body.lengthM,
		width_m: body.widthM,
		surface: body.surface,
		indoor: body.indoor,
		floodlit: body.floodlit,
		is_active: body.isActive,
	};
}

function toArena(row: ArenaRow): Arena {
	return {
		id: row.id,
		venueId: row.venue_id,
		name: row.name,
		type: row.type,
		lengthM: row.length_m,
		widthM: row.width_m,
		surface: row.surface,
		indoor: row.indoor,
		floodlit: row.floodlit,
		isActive: row.is_active,
		version: row.version,
	};
}

function orNotFound(row: ArenaRow | undefined): ArenaRow {
	if (row === undefined) throw fail('NOT_FOUND', { message: 'There is no such arena at this venue.' });
	return row;
}
