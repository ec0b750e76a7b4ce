import { apiError } from '@paddock/contract';
import { changedAt, refusals, refusing, searchLines } from '@paddock/database';
import { isOfficer, type Principal } from '@paddock/identity';
import { withInstants } from '@paddock/service';
import { cleanNumber, searchForms } from '@paddock/text';
import type { HorseRow, HorsesQueryable, NewHorseRow } from '../database-schema.ts';
import type { DeathReport } from '../death/schemas.ts';
import { horsesError } from '../errors.ts';
import type { Owner } from '../ownership/owner-schemas.ts';
import { listOwners } from '../ownership/store.ts';
import { parentNamesOf } from '../pedigree/store.ts';
import type { WrittenHorse } from './body-schemas.ts';
import type { Horse } from './schemas.ts';

const taken = refusals(horsesError, {
	horses_ueln_key: 'UELN_TAKEN',
	horses_microchip_key: 'MICROCHIP_TAKEN',
	horses_federation_horse_number_key: 'FEDERATION_HORSE_NUMBER_TAKEN',
	horses_head_number_key: 'HEAD_NUMBER_TAKEN',
	horses_fei_id_key: 'FEI_ID_TAKEN',
});

/** Columns that may be updated; the version increases automatically. */
export type HorseChange = Partial<Omit<NewHorseRow, 'id' | 'version' | 'createdAt' | 'updatedAt'>>;

/** Complete records of these rows, in their order, with two queries. */
export async function completeHorses(db: HorsesQueryable, rows: readonly HorseRow[]): Promise<Horse[]> {
	const ids = rows.map(({ id }) => id);
	const namesOf = await parentNamesOf(db, rows);
	const owners = await listOwners(db, ids);
	return rows.map((row) => toHorse(row, namesOf(row), owners.get(row.id) ?? []));
}

export async function completeHorse(db: HorsesQueryable, row: HorseRow): Promise<Horse> {
	const [horse] = await completeHorses(db, [row]);
	if (horse === undefined) throw new TypeError('One row is one horse.');
	return horse;
}

/** The row; a deleted horse is visible to the office only. @throws ApiError NOT_FOUND */
export async function getHorseRow(db: HorsesQueryable, id: string, principal: Principal): Promise<HorseRow> {
	return visible(await selectHorse(db, id).executeTakeFirst(), principal);
}

/** @throws ApiError NOT_FOUND, as `getHorseRow`. */
export async function getHorse(db: HorsesQueryable, id: string, principal: Principal): Promise<Horse> {
	return completeHorse(db, await getHorseRow(db, id, principal));
}

/** Locks the row for the rest of the transaction. @throws ApiError NOT_FOUND, as `getHorseRow`. */
export async function lockHorse(
	db: HorsesQueryable,
	id: string,
	principal: Principal,
): Promise<{ readonly row: HorseRow; readonly horse: Horse }> {
	// A lock that permits concurrent registration of foals: they refer to the id, which does not change.
	const row = visible(await selectHorse(db, id).forNoKeyUpdate().executeTakeFirst(), principal);
	return { row, horse: await completeHorse(db, row) };
}

/** @throws ApiError …_TAKEN when another horse has one of the numbers. */
export function insertHorse(
	db: HorsesQueryable,
	columns: Omit<NewHorseRow, 'createdAt' | 'updatedAt'>,
	now: Date,
): Promise<HorseRow> {
	const insert = db
		.insertInto('horses')
		.values({ ...columns, createdAt: now, updatedAt: now })
		.returningAll();
	return refusing(taken, insert.executeTakeFirstOrThrow());
}

/** @throws ApiError …_TAKEN when another horse has one of the numbers. */
export async function updateHorse(
	db: HorsesQueryable,
	id: string,
	change: HorseChange,
	now: Date,
): Promise<Horse> {
	const update = db
		.updateTable('horses')
		.set({ ...change, ...changedAt(now) })
		.where('id', '=', id)
		.returningAll();
	return completeHorse(db, await refusing(taken, update.executeTakeFirstOrThrow()));
}

function selectHorse(db: HorsesQueryable, id: string) {
	return db.selectFrom('horses').selectAll().where('id', '=', id);
}

function visible(row: HorseRow | undefined, principal: Principal): HorseRow {
	if (row === undefined || (row.status === 'INACTIVE' && !isOfficer(principal)))
		throw apiError('NOT_FOUND', { message: 'There is no such horse.' });
	return row;
}

/** Comparison key of a breed: ignores case and umlaut spelling. */
export function breedKey(breed: string): string {
	return searchForms(breed)[0] ?? '';
}

/** The columns that a client or the demo writes, on POST and on PUT. */
export function writtenColumns(body: WrittenHorse) {
	const { breed, ueln, microchip, federationHorseNumber, headNumber, feiId, passportNumber } = body;
	const passportKey = passportNumber === null ? null : cleanNumber(passportNumber);
	const numbers = [ueln, microchip, federationHorseNumber, headNumber, feiId, passportNumber, passportKey];
	return {
		...body,
		breedKey: breed === null ? null : breedKey(breed),
		passportKey,
		sireName: body.sireId === null ? body.sireName : null,
		damName: body.damId === null ? body.damName : null,
		nameText: searchLines(body.name),
		numberText: searchLines(...numbers),
	} satisfies Partial<NewHorseRow>;
}

export type ParentNames = Pick<Horse, 'sireName' | 'damName' | 'damSireName'>;

export function toHorse(row: HorseRow, names: ParentNames, owners: readonly Owner[]): Horse {
	const {
		breedKey,
		passportKey,
		nameText,
		numberText,
		isDemo,
		removedStatus,
		removedStatusReason,
		beforeDeath,
		...columns
	} = row;
	return {
		...withInstants(columns),
		view: 'FULL',
		...names,
		deathReport: toDeathReport(row.deathReport),
		owners: [...owners],
	};
}

export function toDeathReport(stored: HorseRow['deathReport']): DeathReport | null {
	if (stored === null) return null;
	const { reportedBy, ...report } = stored;
	return report;
}
