import type { Database } from '@paddock/database';
import { type Principal, requireActingMember } from '@paddock/identity';
import { type Call, routesWith, type SharedFreshness, updatesWith } from '@paddock/service';
import type { EventsSchema, StoredOverride } from './database-schema.ts';
import type { KeyedQueue } from './entries/keyed-queue.ts';
import type { MailJobs } from './entries/new-entry-texts.ts';
import type { EventCalendar } from './events/calendar.ts';
import type { Directory } from './peers/directory.ts';
import type { Publicity } from './peers/publicity.ts';

export interface EventsDeps {
	readonly db: Database<EventsSchema>;
	readonly jobs: MailJobs;
	readonly directory: Directory;
	/** The officials that public views may name. */
	readonly publicity: Publicity;
	/** Queue by event id, entered before the event row is locked. */
	readonly entryQueue: KeyedQueue;
	readonly calendar: EventCalendar;
	/** How long after its promotion an entry can be withdrawn free of charge. */
	readonly freeWithdrawalMs: number;
	/** Whether a late withdrawal owes nothing once its place is filled. */
	readonly refundsFilledPlaces: boolean;
	countOverrides(overrides: readonly Pick<StoredOverride, 'code'>[]): void;
	readonly approval: {
		/** Whether only the federation's office publishes events. */
		readonly isRequired: boolean;
		/** Days before the first day after which a submission is late; 0 = never. */
		readonly submissionDays: number;
	};
}

export const route = routesWith<EventsDeps>('events', requireActive);

export const update = updatesWith<EventsDeps>('events', requireActive);

async function requireActive(call: Call, { directory }: EventsDeps): Promise<Principal> {
	return (await requireActingMember(call, directory.members)).principal;
}

/** Lists and statistics depend on the caller; a few seconds of age are acceptable. */
export const listCacheControl = 'private, max-age=10';

/** The representation depends on the caller and changes with the clock, so it is revalidated by ETag each time. */
export const eventCacheControl = 'private, no-cache';

/** A competition may be stored but is revalidated by ETag each time, so that edits begin from its present version. */
export const competitionCacheControl = 'no-cache';

/** Names of riders and amounts due: must not be stored by any cache, including the browser's on a shared computer. */
export const personalCacheControl = 'private, no-store';

/** The public calendar, also while the database is down. Calendar programs fetch it a few times a day. */
export const calendarFreshness: SharedFreshness = {
	maxAge: 300,
	staleWhileRevalidate: 60,
	staleIfError: 86_400,
};
