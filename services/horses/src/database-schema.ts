import type { JsonColumn, NarrowedSchema, Queryable } from '@paddock/database';
import type { Insertable, JSONColumnType, Selectable } from 'kysely';
import type { DB } from './database-schema.generated.ts';
import type { DeathDecision, DeathReport } from './death/schemas.ts';
import type { Horse } from './horses/schemas.ts';
import type { HorseStatus } from './horses/words.ts';
import type { Owner } from './ownership/owner-schemas.ts';
import type { CorrectedPeriod } from './ownership/schemas.ts';
import type { OwnershipTransfer } from './ownership/transfer-schemas.ts';

interface StoredDeathReport extends DeathReport {
	readonly reportedBy: string;
}

interface EarlierStatus extends Pick<Horse, 'status' | 'statusReason'> {
	readonly removedStatus: HorseStatus | null;
	readonly removedStatusReason: string | null;
}

interface StoredHorse extends Pick<Horse, 'sex' | 'status'> {
	removedStatus: HorseStatus | null;
	/** A report that awaits a decision of the federation's office. */
	deathReport: JsonColumn<StoredDeathReport>;
	/** Status before the death; null also if it was not stored. */
	beforeDeath: JsonColumn<EarlierStatus>;
}

export type HorsesSchema = NarrowedSchema<
	DB,
	{
		horses: StoredHorse;
		deathDecisions: Pick<DeathDecision, 'decision'> & { report: JsonColumn<StoredDeathReport> };
		/** A PENDING transfer past its expiry is shown as EXPIRED. */
		ownershipTransfers: Pick<OwnershipTransfer, 'status'> & { owners: JSONColumnType<Owner[]> };
		ownershipCorrections: { before: JSONColumnType<CorrectedPeriod>; after: JSONColumnType<CorrectedPeriod> };
	}
>;

export type HorsesQueryable = Queryable<HorsesSchema>;

export type HorseRow = Selectable<HorsesSchema['horses']>;
export type NewHorseRow = Insertable<HorsesSchema['horses']>;
