import { advisoryLock, isOneOf } from '@paddock/database';
import { type Kysely, sql } from 'kysely';
import type { HorseRow, HorsesQueryable } from '../database-schema.ts';
import type { ParentNames } from '../horses/store.ts';

const animalColumns = [
	'id',
	'name',
	'sex',
	'birthYear',
	'breed',
	'studbook',
	'colour',
	'countryOfBirth',
	'ueln',
	'status',
] as const;
const parentColumns = ['sireId', 'sireName', 'damId', 'damName', 'damSireName'] as const;

export type PedigreeRow = { readonly number: number; readonly generation: number } & Pick<
	HorseRow,
	(typeof animalColumns)[number] | (typeof parentColumns)[number]
>;

const shown = sql.join([...animalColumns, ...parentColumns].map((column) => sql.ref(`horse.${column}`)));

/** The horse (number 1) and its registered ancestors; one that occurs several times has one row per position. */
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

/** Row locks do not prevent a cycle by changes of two horses. Take it before any lock on a horse, to prevent deadlocks. */
export function lockPedigrees(db: HorsesQueryable): Promise<void> {
	return advisoryLock(db, 'pedigrees');
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

type Relative = Pick<HorseRow, 'id' | 'sex' | 'dateOfBirth' | 'birthYear' | 'status' | 'damId'>;

/** The fields that the rules of parentage depend on, of the existing horses among these ids. */
export async function listRelatives(
	db: HorsesQueryable,
	ids: readonly string[],
): Promise<ReadonlyMap<string, Relative>> {
	if (ids.length === 0) return new Map();
	const rows = await selectRelatives(db)
		.where('id', 'in', [...ids])
		.execute();
	return new Map(rows.map((row) => [row.id, row]));
}

/** The horses that have it as a parent, including deleted ones, which may be restored. */
export function listChildren(db: HorsesQueryable, parentId: string): Promise<Relative[]> {
	return selectRelatives(db)
		.where(({ eb, or }) => or([eb('sireId', '=', parentId), eb('damId', '=', parentId)]))
		.execute();
}

function selectRelatives(db: HorsesQueryable) {
	return db.selectFrom('horses').select(['id', 'sex', 'dateOfBirth', 'birthYear', 'status', 'damId']);
}

type Child = Pick<HorseRow, 'sireId' | 'damId' | keyof ParentNames>;

/** Names of the parents of these horses, with one query; a linked record takes precedence over a stored name. */
export async function parentNamesOf(
	db: HorsesQueryable,
	children: readonly Child[],
): Promise<(child: Child) => ParentNames> {
	const ids = children.flatMap(({ sireId, damId }) => [sireId, damId]).filter((id) => id !== null);
	const parents = ids.length === 0 ? [] : await listParents(db, [...new Set(ids)]);
	const byId = new Map<string | null, (typeof parents)[number]>(parents.map((row) => [row.id, row]));
	return (child) => {
		const dam = byId.get(child.damId);
		return {
			sireName: byId.get(child.sireId)?.name ?? child.sireName,
			damName: dam?.name ?? child.damName,
			damSireName: dam?.linkedSireName ?? dam?.sireName ?? child.damSireName,
		};
	};
}

function listParents(db: HorsesQueryable, ids: readonly string[]) {
	return db
		.selectFrom('horses as parent')
		.leftJoin('horses as sire', 'sire.id', 'parent.sireId')
		.select(['parent.id', 'parent.name', 'parent.sireName', 'sire.name as linkedSireName'])
		.where(isOneOf('parent.id', ids))
		.execute();
}
