import { sql } from 'kysely';
import type { HorsesQueryable } from '../database-schema.ts';
import { ownedBy } from '../horses/list-store.ts';
import type { Horse } from '../horses/schemas.ts';
import { completeHorses } from '../horses/store.ts';

/** The existing horses among these ids, including deleted ones. */
export async function lookUpHorses(db: HorsesQueryable, ids: readonly string[]): Promise<Horse[]> {
	const rows = await db
		.selectFrom('horses')
		.selectAll()
		.where('id', 'in', [...ids])
		.orderBy('id')
		.execute();
	return await completeHorses(db, rows);
}

/** Without deleted and deceased horses, which do not block the deletion of the member. */
export async function countOwnedHorses(db: HorsesQueryable, memberId: string): Promise<number> {
	const { horses } = await db
		.selectFrom(selectKept(db, memberId).as('kept'))
		.select(sql<number>`count(*)`.as('horses'))
		.where('status', 'not in', ['DECEASED', 'INACTIVE'])
		.executeTakeFirstOrThrow();
	return horses;
}

/** Ids of the horses that a member owns or is responsible for today, in any status. */
export async function listKeptHorseIds(db: HorsesQueryable, memberId: string): Promise<string[]> {
	const rows = await selectKept(db, memberId).orderBy('id').execute();
	return rows.map(({ id }) => id);
}

/** A union, so that each condition uses its index; `or` would scan the whole table. */
function selectKept(db: HorsesQueryable, memberId: string) {
	const kept = db.selectFrom('horses').select(['id', 'status']);
	return kept
		.where('responsibleMemberId', '=', memberId)
		.union(kept.where((where) => ownedBy(where, [memberId])));
}
