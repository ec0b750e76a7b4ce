import type { HorsesQueryable } from '../database-schema.ts';
import type { OwnershipCorrectionRow } from '../ownership-tables.ts';
import type { OwnershipCorrection } from '../schemas/ownership-correction.ts';

type NewCorrection = Omit<OwnershipCorrection, 'id'>;

export async function insertCorrection(
	db: HorsesQueryable,
	correction: NewCorrection,
): Promise<OwnershipCorrection> {
	const row = await db
		.insertInto('ownership_corrections')
		.values({
			horse_id: correction.horseId,
			reason: correction.reason,
			before: JSON.stringify(correction.before),
			after: JSON.stringify(correction.after),
			corrected_by: correction.correctedBy,
			corrected_at: new Date(correction.correctedAt),
		})
		.returningAll()
		.executeTakeFirstOrThrow();
	return toCorrection(row);
}

/** Corrections of a horse, latest first. */
export async function listCorrections(db: HorsesQueryable, horseId: string): Promise<OwnershipCorrection[]> {
	const rows = await db
		.selectFrom('ownership_corrections')
		.selectAll()
		.where('horse_id', '=', horseId)
		.orderBy('corrected_at', 'desc')
		.orderBy('id')
		.execute();
	return rows.map(toCorrection);
}

function toCorrection(row: OwnershipCorrectionRow): OwnershipCorrection {
	return {
		id: row.id,
		horseId: row.horse_id,
		reason: row.reason,
		before: row.before,
		after: row.after,
		correctedBy: row.corrected_by,
		correctedAt: row.corrected_at.toISOString(),
	};
}
