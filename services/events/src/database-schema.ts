import type { JsonColumn, NarrowedSchema, Queryable } from '@paddock/database';
import type { ColumnType, Generated, Insertable, JSONColumnType, Selectable } from 'kysely';
import type { Competition } from './competitions/schemas.ts';
import type { DB } from './database-schema.generated.ts';
import type { Entry } from './entries/view-schemas.ts';
import type {
	ActingAs,
	ApprovalState,
	Currency,
	EntryAct,
	EntryStatus,
	LedgerKind,
	StoredStatus,
} from './enumerations.ts';
import type { EventBody } from './events/schemas.ts';
import type { Event } from './events/view-schemas.ts';

/** An ERROR refuses a new entry, and stays on one that no longer fits its event; a WARNING is for the organiser. */
export type EntryCheck = Entry['checks'][number] & {
	/** Whose data the message contains; decides who may read it. */
	readonly about: 'EVENT' | 'RIDER' | 'HORSE';
	/** What the finding is about: id of a competition, day, discipline. An override counts for one subject. */
	readonly subject?: string;
};

/** A finding that organiser or office passed. */
export interface StoredOverride extends Pick<EntryCheck, 'about'> {
	readonly code: string;
	/** See `EntryCheck`. */
	readonly subject: string;
	readonly reason: string;
	readonly byUserId: string;
	readonly byName: string;
	/** ISO 8601. */
	readonly at: string;
}

/** Data of rider and horse on the day of entry, by which the entry is judged when its event changes. */
export interface JudgedBy {
	readonly riderBirthYear: number;
	/** ISO 8601; entries of earlier versions have none. */
	readonly riderOfAgeAt?: string;
	readonly riderFeePaidForYear: number | null;
	readonly horseIsPony: boolean;
	readonly horseHeightCm: number | null;
	readonly horseFeePaidForYear: number | null;
}

type ApprovalWarnings = NonNullable<Event['approval']>['warnings'];

interface StoredEvent extends Pick<Event, 'ruleset' | 'disciplines'> {
	status: Generated<StoredStatus>;
	currency: Generated<Currency>;
	approval: ApprovalState | null;
	approvalWarnings: ColumnType<ApprovalWarnings, string | undefined, string>;
	officials: JSONColumnType<EventBody['officials']>;
}

interface StoredCompetition extends Pick<Competition, 'discipline'> {
	kind: Generated<Competition['kind']>;
	status: Generated<Competition['status']>;
	currency: Generated<Currency>;
	dividedBy: Generated<Competition['dividedBy']>;
}

interface StoredEntry extends Pick<Entry, 'type'> {
	status: EntryStatus;
	/** The warnings of the day of entry, and the findings of each change of the event since. */
	checks: JSONColumnType<readonly EntryCheck[]>;
	judgedBy: JsonColumn<JudgedBy>;
	/** All that were ever passed, also of findings that are no longer true. */
	overrides: ColumnType<readonly StoredOverride[], string | undefined, string>;
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
		ledgerLines: { kind: LedgerKind };
		entryActs: { act: EntryAct; actingAs: ActingAs };
	}
>;

export type EventsQueryable = Queryable<EventsSchema>;

export type EventRow = Selectable<EventsSchema['events']>;
export type NewEventRow = Insertable<EventsSchema['events']>;
/** Without its times and the text of the search, which no rule reads. */
export type CompetitionRow = Omit<
	Selectable<EventsSchema['competitions']>,
	'createdAt' | 'updatedAt' | 'searchText'
>;
export type NewCompetitionRow = Insertable<EventsSchema['competitions']>;
export type EntryRow = Selectable<EventsSchema['entries']>;
export type NewEntryRow = Insertable<EventsSchema['entries']>;
export type NewStartRow = Insertable<EventsSchema['starts']>;
