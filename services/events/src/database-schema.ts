import type { NarrowedSchema, Queryable } from '@paddock/database';
import type { Generated, Insertable, JSONColumnType, Selectable } from 'kysely';
import type { DB } from './database-schema.generated.ts';
import type { EntryStatus, StoredStatus } from './enumerations.ts';
import type { Competition } from './schemas/competition.ts';
import type { Entry } from './schemas/entry.ts';
import type { Event } from './schemas/event.ts';
import type { EventBody } from './schemas/event-body.ts';

/** A finding about an entry. An ERROR refuses the entry; a WARNING is stored with it for the organiser. */
export type EntryCheck = Entry['checks'][number] & {
	/** Whose data the message contains; decides who may read it. */
	readonly about: 'EVENT' | 'RIDER' | 'HORSE';
};

interface StoredEvent extends Pick<Event, 'ruleset' | 'disciplines'> {
	status: Generated<StoredStatus>;
	officials: JSONColumnType<EventBody['officials']>;
}

interface StoredCompetition extends Pick<Competition, 'discipline'> {
	status: Generated<Competition['status']>;
}

interface StoredEntry extends Pick<Entry, 'type'> {
	status: EntryStatus;
	/** The warnings; an entry with errors is not stored. */
	checks: JSONColumnType<readonly EntryCheck[]>;
}

/** Tables of this context, as created by the migrations. */
export type EventsSchema = NarrowedSchema<
	DB,
	{
		events: StoredEvent;
		competitions: StoredCompetition;
		entries: StoredEntry;
		/** Status of the entry, or CANCELLED with the competition. */
		starts: { status: EntryStatus };
	}
>;

export type EventsQueryable = Queryable<EventsSchema>;

export type EventRow = Selectable<EventsSchema['events']>;
export type NewEventRow = Insertable<EventsSchema['events']>;
export type CompetitionRow = Selectable<EventsSchema['competitions']>;
export type NewCompetitionRow = Insertable<EventsSchema['competitions']>;
export type EntryRow = Selectable<EventsSchema['entries']>;
export type NewEntryRow = Insertable<EventsSchema['entries']>;
export type NewStartRow = Insertable<EventsSchema['starts']>;
