import type { HorseRow, HorsesQueryable } from '../database-schema.ts';
import type { ParentNames } from './horse-rows.ts';

type Child = Pick<HorseRow, 'sire_id' | 'sire_name' | 'dam_id' | 'dam_name' | 'dam_sire_name'>;

interface Parent {
	readonly name: string;
	readonly sireName: string | null;
}

/** Names of the parents of these horses, with one query; a linked record takes precedence over a stored name. */
export async function parentNamesOf(
	db: HorsesQueryable,
	children: readonly Child[],
): Promise<(child: Child) => ParentNames> {
	const parents = await listParents(db, children);
	return (child) => {
		const sire = child.sire_id === null ? undefined : parents.get(child.sire_id);
		const dam = child.dam_id === null ? undefined : parents.get(child.dam_id);
		return {
			sireName: sire?.name ?? child.sire_name,
			damName: dam?.name ?? child.dam_name,
			damSireName: dam?.sireName ?? child.dam_sire_name,
		};
	};
}

async function listParents(
	db: HorsesQueryable,
	children: readonly Child[],
): Promise<ReadonlyMap<string, Parent>> {
	const ids = new Set(
		children.flatMap(({ sire_id, dam_id }) => [sire_id, dam_id]).filter((id) => id !== null),
	);
	if (ids.size === 0) return new Map();
	const rows = await db
		.selectFrom('horses as parent')
		.leftJoin('horses as sire', 'sire.id', 'parent.sire_id')
		.select(['parent.id', 'parent.name', 'parent.sire_name', 'sire.name as linked_sire_name'])
		.where('parent.id', 'in', [...ids])
		.execute();
	return new Map(
		rows.map((row) => [row.id, { name: row.name, sireName: row.linked_sire_name ?? row.sire_name }]),
	);
}
