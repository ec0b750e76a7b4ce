import type { IdempotencyTables, Queryable } from '@paddock/database';
import type { Generated, Insertable, JSONColumnType, Selectable } from 'kysely';
import type { Discipline } from './disciplines.ts';
import type { EntryTables } from './entry-tables.ts';
import type { StoredStatus } from './event-status.ts';
import type { OfficialRole } from './official-roles.ts';
import type { Ruleset } from './rulesets.ts';

/** An official (judge, course designer, …) as announced. */
export interface StoredOfficial {
	readonly role: OfficialRole;
	readonly name: string;
	readonly memberId: string | null;
}

interface EventsTable {
	id: Generated<string>;
	event_number: string;
	name: string;
	description: string | null;
	/** `YYYY-MM-DD` at the venue, as is `end_date`. */
	start_date: string;
	end_date: string;
	/** The first instant of the first day in the venue's time zone. */
	starts_at: Date;
	/** The first instant after the last day. */
	ends_at: Date;
	venue_id: string;
	venue_name: string;
	venue_city: string | null;
	venue_state_code: string | null;
	venue_country_code: string;
	venue_time_zone: string;
	organiser_club_id: string;
	organiser_club_name: string;
	ruleset: Ruleset;
	category: string;
	disciplines: Discipline[];
	is_public: boolean;
	entries_open_at: Date | null;
	entry_deadline: Date | null;
	late_entry_until: Date | null;
	/** Null = unlimited. */
	max_entries: number | null;
	/** Cents, as are all fees. */
	entry_fee: number;
	late_surcharge: number;
	stable_fee: number;
	officials: JSONColumnType<readonly StoredOfficial[]>;
	status: Generated<StoredStatus>;
	cancelled_reason: string | null;
	is_demo: Generated<boolean>;
	/** See `searchLines`. */
	search_text: string;
	created_at: Date;
	updated_at: Date;
	version: Generated<number>;
}

interface CompetitionsTable {
	id: Generated<string>;
	event_id: string;
	number: number;
	name: string;
	discipline: Discipline;
	level: string;
	/** `YYYY-MM-DD` at the venue. */
	date: string;
	arena_id: string | null;
	arena_name: string | null;
	/** Empty = open to all. */
	age_classes: string[];
	/** Years, by calendar year. */
	horse_min_age: number;
	pony_only: boolean;
	/** Null = unlimited. */
	max_starters: number | null;
	/** Cents. */
	start_fee: number;
	status: Generated<'OPEN' | 'CANCELLED'>;
	version: Generated<number>;
}

interface SeedMarksTable {
	name: string;
	applied_at: Generated<Date>;
}

/** The tables of this context, after all migrations. */
export interface EventsSchema extends IdempotencyTables, EntryTables {
	events: EventsTable;
	competitions: CompetitionsTable;
	seed_marks: SeedMarksTable;
}

export type EventsQueryable = Queryable<EventsSchema>;

export type EventRow = Selectable<EventsTable>;
export type NewEventRow = Insertable<EventsTable>;
export type CompetitionRow = Selectable<CompetitionsTable>;
export type NewCompetitionRow = Insertable<CompetitionsTable>;
