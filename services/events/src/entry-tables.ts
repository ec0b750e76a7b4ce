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
	/** What the organiser said when it was rejected. */
	status_reason: string | null;
	/** From 1 without a gap within the event's waiting list; null for all others. */
	position: number | null;
	rider_member_id: string;
	rider_name: string;
	rider_club_id: string | null;
	rider_club_name: string | null;
	/** Of a minor, on the day of entry. */
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
	/** Owners and responsible person on the day of entry: they see the entry and may withdraw it. */
	horse_keeper_ids: string[];
	/** The warnings; an entry with errors is not stored. */
	checks: JSONColumnType<readonly EntryCheck[]>;
	/** Cents. */
	amount_due: number;
	/** False while, and if it ends so for ever, the rider's side has not confirmed what others entered. */
	is_confirmed: Generated<boolean>;
	/** The same of the horse's side. */
	is_horse_confirmed: Generated<boolean>;
	/** A second open entry of the horse at the event, made before the rule of one. */
	is_additional: Generated<boolean>;
	/** The user who made it. */
	entered_by: string;
	created_at: Date;
	updated_at: Date;
	version: Generated<number>;
}

interface StartsTable {
	entry_id: string;
	competition_id: string;
	/** That of the entry, or CANCELLED with its competition. */
	status: EntryStatus;
	/** Those of the entry, for the limits that a competition has. */
	horse_id: string;
	rider_member_id: string;
	/** Cents, as it was at entry. */
	start_fee: number;
}

/** The tables of entries, as the migrations leave them. */
export interface EntryTables {
	entries: EntriesTable;
	starts: StartsTable;
}

export type EntryRow = Selectable<EntriesTable>;
export type NewEntryRow = Insertable<EntriesTable>;
export type StartRow = Selectable<StartsTable>;
export type NewStartRow = Insertable<StartsTable>;
