import { advisoryLock } from '@paddock/database';
import { type Kysely, sql } from 'kysely';
import type { Birth } from '../birth.ts';
import type { HorseRow, HorsesQueryable } from '../database-schema.ts';
import type { Relative } from '../parent-rules.ts';

/** A registered animal of a pedigree, with the links to its parents. */
export interface PedigreeRow
	extends Pick<
		HorseRow,
		| 'id'
		| 'name'
		| 'sex'
		| 'birth_year'
		| 'breed'
		| 'studbook'
		| 'colour'
		| 'country_of_birth'
		| 'ueln'
		| 'status'
		| 'sire_name'
		| 'dam_name'
		| 'dam_sire_name'
	> {
	readonly number: number;
	readonly generation: number;
}

const shown = sql.raw(
	[
		'id',
		'name',
		'sex',
		'birth_year',
		'breed',
		'studbook',
		'colour',
		'country_of_birth',
		'ueln',
		'status',
		'sire_id',
		'sire_name',
		'dam_id',
		'dam_name',
		'dam_sire_name',
	]
		.map((column) => `horse.${column}`)
		.join(', '),
);

/**
 * The horse (number 1) and its registered ancestors. An ancestor that occurs several times has one row per position.
 */
export async function listPedigree(
	db: HorsesQueryable,
	horseId: string,
	generations: number,
): Promise<readonly PedigreeRow[]> {
	const { rows } = await sql<PedigreeRow>`
		with recursive pedigree as (
			select 1 as number, 0 as generation, ${shown} from horses as horse where horse.id = ${horseId}
			union all
			select parent.number, pedigree.generation + 1, ${shown}
			from pedigree
			cross join lateral (
				values (pedigree.sire_id, 2 * pedigree.number), (pedigree.dam_id, 2 * pedigree.number + 1)
			) as parent (id, number)
			join horses as horse on horse.id = parent.id
			where pedigree.generation < ${generations}
		)
		select * from pedigree order by number`.execute(db as Kysely<unknown>);
	return rows;
}

/**
 * Serializes all changes of parent links and of the fields that their rules depend on. Row locks are not sufficient: a
 * cycle can result from two changes of two horses, each valid on its own. Such changes are rare and short. Take it
 * before any lock on a horse, to prevent deadlocks.
 */
export async function lockPedigrees(db: HorsesQueryable): Promise<void> {
	await advisoryLock(db, 'pedigrees');
}

/** Whether the horse is an ancestor of the other one, at any depth, or the other one itself. */
export async function isAncestorOrSelf(
	db: HorsesQueryable,
	horseId: string,
	ofHorseId: string,
): Promise<boolean> {
	// union, not union all: terminates even if the data contains a cycle.
	const { rows } = await sql<{ found: boolean }>`
		with recursive line as (
			select id, sire_id, dam_id from horses where id = ${ofHorseId}
			union
			select horse.id, horse.sire_id, horse.dam_id
			from line join horses as horse on horse.id in (line.sire_id, line.dam_id)
		)
		select exists (select 1 from line where id = ${horseId}) as found`.execute(db as Kysely<unknown>);
	return rows[0]?.found === true;
}

export interface ParentRecord extends Relative {
	readonly isRemoved: boolean;
}

/** The fields that the rules depend on, of the existing horses among these ids. */
export async function listRelatives(
	db: HorsesQueryable,
	ids: readonly string[],
): Promise<ReadonlyMap<string, ParentRecord>> {
	if (ids.length === 0) return new Map();
	const rows = await db
		.selectFrom('horses')
		.select(['id', 'sex', 'date_of_birth', 'birth_year', 'status'])
		.where('id', 'in', [...ids])
		.execute();
	return new Map(
		rows.map((row) => [
			row.id,
			{ id: row.id, sex: row.sex, isRemoved: row.status === 'INACTIVE', ...birthOfRow(row) },
		]),
	);
}

export interface ChildLink extends Birth {
	readonly id: string;
	readonly isDam: boolean;
}

/** The horses that have it as a parent, including removed ones, which may be restored. */
export async function listChildren(db: HorsesQueryable, parentId: string): Promise<readonly ChildLink[]> {
	const rows = await db
		.selectFrom('horses')
		.select(['id', 'dam_id', 'date_of_birth', 'birth_year'])
		.where(({ eb, or }) => or([eb('sire_id', '=', parentId), eb('dam_id', '=', parentId)]))
		.execute();
	return rows.map((row) => ({ id: row.id, isDam: row.dam_id === parentId, ...birthOfRow(row) }));
}

function birthOfRow(row: Pick<HorseRow, 'date_of_birth' | 'birth_year'>): Birth {
	return { dateOfBirth: row.date_of_birth, birthYear: row.birth_year };
}
