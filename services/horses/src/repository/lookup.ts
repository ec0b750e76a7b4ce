import type { HorsesQueryable } from '../database-schema.ts';
import type { FoundHorse } from '../schemas/lookup.ts';
import { completeHorses } from './horses.ts';

/** The horses among these ids that are there, removed ones too. */
export async function lookUpHorses(db: HorsesQueryable, ids: readonly string[]): Promise<FoundHorse[]> {
	const rows = await db
		.selectFrom('horses')
		.selectAll()
		.where('id', 'in', [...ids])
		.orderBy('id')
		.execute();
	const horses = await completeHorses(db, rows);
	return horses.map((horse) => ({
		id: horse.id,
		name: horse.name,
		sex: horse.sex,
		birthYear: horse.birthYear,
		dateOfBirth: horse.dateOfBirth,
		isPony: horse.isPony,
		heightCm: horse.heightCm,
		headNumber: horse.headNumber,
		feiId: horse.feiId,
		sireName: horse.sireName,
		clubId: horse.clubId,
		responsibleMemberId: horse.responsibleMemberId,
		ownerMemberIds: horse.owners.map(({ memberId }) => memberId).filter((memberId) => memberId !== null),
		status: horse.status,
		feePaidForYear: horse.feePaidForYear,
	}));
}
