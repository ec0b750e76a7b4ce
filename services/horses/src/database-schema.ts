import type { IdempotencyTables, Queryable } from '@paddock/database';
import type { Generated, Insertable, JSONColumnType, Selectable } from 'kysely';
import type { HorseStatus } from './horse-status.ts';
import type { OwnershipTables } from './ownership-tables.ts';
import type { Sex } from './parent-rules.ts';
import type { DeathDecisionKind } from './schemas/death.ts';

interface HorsesTable {
	id: Generated<string>;
	name: string;
	sex: Sex;
	/** `YYYY-MM-DD` */
	date_of_birth: string | null;
	birth_year: number;
	breed: string | null;
	/** Comparison key of the breed, see `breedKey`. */
	breed_key: string | null;
	studbook: string | null;
	colour: string | null;
	height_cm: number | null;
	is_pony: boolean;
	country_of_birth: string | null;
	ueln: string | null;
	microchip: string | null;
	federation_horse_number: string | null;
	head_number: string | null;
	fei_id: string | null;
	passport_number: string | null;
	/** Comparison form of the passport number, see `cleanNumber`. */
	passport_key: string | null;
	passport_issuer: string | null;
	sire_id: string | null;
	/** Set only if the sire is not linked. */
	sire_name: string | null;
	dam_id: string | null;
	/** Set only if the dam is not linked. */
	dam_name: string | null;
	/** Used if the dam's own record does not contain it. */
	dam_sire_name: string | null;
	breeder_name: string | null;
	responsible_member_id: string | null;
	club_id: string | null;
	fee_paid_for_year: number | null;
	registered_on: string;
	status: HorseStatus;
	status_reason: string | null;
	/** Status and reason before the removal. */
	removed_status: HorseStatus | null;
	removed_status_reason: string | null;
	date_of_death: string | null;
	/** A report that awaits a decision of the federation office. */
	death_report: JSONColumnType<StoredDeathReport> | null;
	/** Status before the death; null also if it was not stored. */
	before_death: JSONColumnType<StatusBeforeDeath> | null;
	notes: string | null;
	is_demo: Generated<boolean>;
	/** See `searchLines`: the name. */
	name_text: string;
	/** See `searchLines`: every number. */
	number_text: string;
	created_at: Date;
	updated_at: Date;
	version: Generated<number>;
}

/** A report of a death. */
export interface StoredDeathReport {
	/** `YYYY-MM-DD` */
	readonly date: string;
	readonly reason: string | null;
	/** ISO 8601. */
	readonly reportedAt: string;
	/** The user. */
	readonly reportedBy: string;
	readonly reportedByMemberId: string | null;
}

export interface StatusBeforeDeath {
	readonly status: HorseStatus;
	readonly statusReason: string | null;
	readonly removedStatus: HorseStatus | null;
	readonly removedStatusReason: string | null;
}

interface DeathDecisionsTable {
	id: Generated<string>;
	horse_id: string;
	decision: DeathDecisionKind;
	date_of_death: string;
	reason: string | null;
	/** The report that the decision is about. */
	report: JSONColumnType<StoredDeathReport> | null;
	/** The user. */
	decided_by: string;
	decided_at: Date;
}

interface SeedMarksTable {
	name: string;
	applied_at: Generated<Date>;
}

/** The tables of this context, after all migrations. */
export interface HorsesSchema extends IdempotencyTables, OwnershipTables {
	horses: HorsesTable;
	death_decisions: DeathDecisionsTable;
	seed_marks: SeedMarksTable;
}

export type HorsesQueryable = Queryable<HorsesSchema>;

export type HorseRow = Selectable<HorsesTable>;
export type DeathDecisionRow = Selectable<DeathDecisionsTable>;
export type NewHorseRow = Insertable<HorsesTable>;
