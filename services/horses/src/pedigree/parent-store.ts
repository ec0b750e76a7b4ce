import type { HorseRow, HorsesQueryable } from '../database-schema.ts';
import type { ParentNames } from '../horses/rows.ts';

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
		.where('parent.id', 'in', ids)
		.execute();
}
