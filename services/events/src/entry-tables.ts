import type { Generated, Insertable, JSONColumnType, Selectable } from 'kysely';
import type { EntryCheck } from './entries/entry-check.ts';
import type { EntryStatus, EntryType } from './entries/entry-status.ts';

interface EntriesTable {
	id: Generated<string>;
	event_id: string;
	/** Running, from 1, within the event. */
	entry_number: number;
	type: EntryType;
	status: EntryStatus;
	/** The reason that the organiser gave for the rejection. */
	status_reason: string | null;
	/** Consecutive from 1 within the event's waiting list; null for all other entries. */
	position: number | null;
	rider_member_id: string;
	rider_name: string;
	rider_club_id: string | null;
	rider_club_name: string | null;
	/** Guardian of a minor on the day of entry. */
	rider_guardian_id: string | null;
	/** ISO 3166-1 alpha-2. */
	rider_nation: string;
	/** Codes of all classes of the event's ruleset that the rider belongs to on its first day. */
	rider_age_classes: string[];
	horse_id: string;
	horse_name: string;
	horse_head_number: string | null;
	horse_birth_year: number;
	horse_sire_name: string | null;
	horse_club_id: string | null;
	/** Owners and responsible person on the day of entry, who may read and withdraw the entry. */
	horse_keeper_ids: string[];
	/** The warnings; an entry with errors is not stored. */
	checks: JSONColumnType<readonly EntryCheck[]>;
	/** Cents. */
	amount_due: number;
	/**
	 * False if the rider's side has not confirmed an entry created by others; stays false if the entry ends
	 * unconfirmed.
	 */
	is_confirmed: Generated<boolean>;
	/** The same for the horse's side. */
	is_horse_confirmed: Generated<boolean>;
	/** An additional open entry of the horse at the event, created before the rule of one entry per horse. */
	is_additional: Generated<boolean>;
	/** Id of the user who created it. */
	entered_by: string;
	created_at: Date;
	updated_at: Date;
	version: Generated<number>;
}

interface StartsTable {
	entry_id: string;
	competition_id: string;
	/** Status of the entry, or CANCELLED with the competition. */
	status: EntryStatus;
	/** Copied from the entry, for the limits per competition. */
	horse_id: string;
	rider_member_id: string;
	/** Cents, as of the day of entry. */
	start_fee: number;
}

/** The tables of entries, after all migrations. */
export interface EntryTables {
	entries: EntriesTable;
	starts: StartsTable;
}

export type EntryRow = Selectable<EntriesTable>;
export type NewEntryRow = Insertable<EntriesTable>;
export type StartRow = Selectable<StartsTable>;
export type NewStartRow = Insertable<StartsTable>;
