import { apiError } from '@paddock/contract';
import { type Refusals, refusing } from '@paddock/database';
import type { Principal } from '@paddock/identity';
import { sql } from 'kysely';
import type { HorseRow, HorsesQueryable, NewHorseRow } from '../database-schema.ts';
import { horsesError } from '../errors.ts';
import { isOfficer } from '../horse-access.ts';
import type { Horse } from '../schemas/horse.ts';
import { toHorse } from './horse-rows.ts';
import { listOwners } from './ownership.ts';
import { parentNamesOf } from './parents.ts';

const taken: Refusals = {
	horses_ueln_key: (cause) => horsesError('UELN_TAKEN', { cause }),
	horses_microchip_key: (cause) => horsesError('MICROCHIP_TAKEN', { cause }),
	horses_federation_horse_number_key: (cause) => horsesError('FEDERATION_HORSE_NUMBER_TAKEN', { cause }),
	horses_head_number_key: (cause) => horsesError('HEAD_NUMBER_TAKEN', { cause }),
	horses_fei_id_key: (cause) => horsesError('FEI_ID_TAKEN', { cause }),
};

/** Columns that may be updated; the version increases automatically. */
export type HorseChange = Partial<Omit<NewHorseRow, 'id' | 'version' | 'created_at' | 'updated_at'>>;

/** Complete records of these rows, in their order, with two queries. */
export async function completeHorses(db: HorsesQueryable, rows: readonly HorseRow[]): Promise<Horse[]> {
	const namesOf = await parentNamesOf(db, rows);
	const owners = await listOwners(
		db,
		rows.map(({ id }) => id),
	);
	return rows.map((row) => toHorse(row, namesOf(row), owners.get(row.id) ?? []));
}

export async function completeHorse(db: HorsesQueryable, row: HorseRow): Promise<Horse> {
	const [horse] = await completeHorses(db, [row]);
	if (horse === undefined) throw new TypeError('One row is one horse.');
	return horse;
}

/** The row; a removed horse is visible to the office only. @throws ApiError NOT_FOUND */
export async function getVisibleHorse(
	db: HorsesQueryable,
	id: string,
	principal: Principal,
): Promise<HorseRow> {
	const row = await db.selectFrom('horses').selectAll().where('id', '=', id).executeTakeFirst();
	return orNotFound(row, principal);
}

/** Locks the row for the rest of the transaction. @throws ApiError NOT_FOUND, as `getVisibleHorse`. */
export async function lockVisibleHorse(
	db: HorsesQueryable,
	id: string,
	principal: Principal,
): Promise<HorseRow> {
	// A lock that permits concurrent registration of foals: they refer to the id, which does not change.
	const row = await db
		.selectFrom('horses')
		.selectAll()
		.where('id', '=', id)
		.forNoKeyUpdate()
		.executeTakeFirst();
	return orNotFound(row, principal);
}

/** @throws ApiError …_TAKEN when another horse has one of the numbers. */
export function insertHorse(
	db: HorsesQueryable,
	columns: Omit<NewHorseRow, 'created_at' | 'updated_at'>,
	now: Date,
): Promise<HorseRow> {
	const insert = db
		.insertInto('horses')
		.values({ ...columns, created_at: now, updated_at: now })
		.returningAll();
	return refusing(taken, insert.executeTakeFirstOrThrow());
}

/** @throws ApiError …_TAKEN when another horse has one of the numbers. */
export function updateHorse(
	db: HorsesQueryable,
	id: string,
	change: HorseChange,
	now: Date,
): Promise<HorseRow> {
	const update = db
		.updateTable('horses')
		.set({ ...change, updated_at: now, version: sql`version + 1` })
		.where('id', '=', id)
		.returningAll();
	return refusing(taken, update.executeTakeFirstOrThrow());
}

function orNotFound(row: HorseRow | undefined, principal: Principal): HorseRow {
	if (row === undefined || (row.status === 'INACTIVE' && !isOfficer(principal)))
		throw apiError('NOT_FOUND', { message: 'There is no such horse.' });
	return row;
}
