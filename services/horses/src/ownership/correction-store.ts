import { withInstants } from '@paddock/service';
import type { HorsesQueryable } from '../database-schema.ts';
import type { OwnershipCorrection } from './correction-schemas.ts';

type NewCorrection = Omit<OwnershipCorrection, 'id' | 'correctedAt'> & { readonly correctedAt: Date };

export async function insertCorrection(
	db: HorsesQueryable,
	correction: NewCorrection,
): Promise<OwnershipCorrection> {
	const [before, after] = [JSON.stringify(correction.before), JSON.stringify(correction.after)];
	const row = await db
		.insertInto('ownershipCorrections')
		.values({ ...correction, before, after })
		.returningAll()
		.executeTakeFirstOrThrow();
	return withInstants(row);
}

/** Corrections of a horse, latest first. */
export async function listCorrections(db: HorsesQueryable, horseId: string): Promise<OwnershipCorrection[]> {
	const rows = await db
		.selectFrom('ownershipCorrections')
		.selectAll()
		.where('horseId', '=', horseId)
		.orderBy('correctedAt', 'desc')
		.orderBy('id')
		.execute();
	return rows.map(withInstants);
}
