import type { IdempotencyTables, Queryable } from '@paddock/database';
import type { Generated, Insertable, Selectable } from 'kysely';
import type { HorseStatus } from './horse-status.ts';
import type { Sex } from './parent-rules.ts';

interface HorsesTable {
	id: Generated<string>;
	name: string;
	sex: Sex;
	/** `YYYY-MM-DD` */
	date_of_birth: string | null;
	birth_year: number;
	breed: string | null;
	/** The breed as breeds are compared, see `breedKey`. */
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
	/** The passport number as numbers are compared, see `cleanNumber`. */
	passport_key: string | null;
	passport_issuer: string | null;
	sire_id: string | null;
	/** Only of a sire that isn't linked. */
	sire_name: string | null;
	dam_id: string | null;
	/** Only of a dam that isn't linked. */
	dam_name: string | null;
	/** Counts where the dam's own record doesn't tell. */
	dam_sire_name: string | null;
	breeder_name: string | null;
	responsible_member_id: string | null;
	club_id: string | null;
	fee_paid_for_year: number | null;
	registered_on: string;
	status: HorseStatus;
	status_reason: string | null;
	/** What a removed horse was before, and why. */
	removed_status: HorseStatus | null;
	removed_status_reason: string | null;
	date_of_death: string | null;
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

interface OwnershipPeriodsTable {
	id: Generated<string>;
	horse_id: string;
	valid_from: string;
}

interface OwnershipSharesTable {
	period_id: string;
	/** In the order in which the owners were given. */
	position: number;
	member_id: string | null;
	party_name: string | null;
	party_country_code: string | null;
	share_hundredths: number | null;
}

interface SeedMarksTable {
	name: string;
	applied_at: Generated<Date>;
}

/** The tables of this context, as the migrations leave them. */
export interface HorsesSchema extends IdempotencyTables {
	horses: HorsesTable;
	ownership_periods: OwnershipPeriodsTable;
	ownership_shares: OwnershipSharesTable;
	seed_marks: SeedMarksTable;
}

export type HorsesQueryable = Queryable<HorsesSchema>;

export type HorseRow = Selectable<HorsesTable>;
export type NewHorseRow = Insertable<HorsesTable>;
export type OwnershipShareRow = Selectable<OwnershipSharesTable>;
