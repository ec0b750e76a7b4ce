import { anyOf, compared, hasChangedSince, isOneOf, textMatches, textQuery } from '@paddock/database';
import { type RawBuilder, sql } from 'kysely';
import type { EventsQueryable } from '../database-schema.ts';
import { hasEntryStatus, needsAttention } from './rights/visibility.ts';
import type { EntriesQuery } from './schemas.ts';

type EntryFilters = Pick<
	EntriesQuery,
	'riderMemberId' | 'horseId' | 'status' | 'needsAttention' | 'q' | 'updatedSince'
>;

interface EntryScopes extends Pick<EntriesQuery, 'riderMemberId' | 'horseId'> {
	readonly eventId?: string;
	readonly isOfClubs?: boolean;
	/** Whether the text is expected in many of the entries that meet the other conditions, and compared with each. */
	readonly isFrequentText?: boolean;
}

/** The entries that match what the lists of all entries and of one event filter by. */
export function matchingEntries(
	db: EventsQueryable,
	query: EntryFilters & EntryScopes,
	now: Date,
	entries = db.selectFrom('entries'),
) {
	const { q, eventId, riderMemberId, horseId, status, updatedSince } = query;
	let select = entries;
	if (status !== undefined) select = select.where(anyOf(status.map((each) => hasEntryStatus(each, now))));
	if (eventId !== undefined) select = select.where('entries.eventId', '=', eventId);
	if (riderMemberId !== undefined) select = select.where(isOneOf('entries.riderMemberId', riderMemberId));
	if (horseId !== undefined) select = select.where(isOneOf('entries.horseId', horseId));
	if (query.needsAttention === true) select = select.where(needsAttention(now));
	if (query.needsAttention === false) {
		// The others are few: compared with their ids, entries are read from any index.
		const doubtful = db.selectFrom('entries').select('entries.id').where(needsAttention(now));
		const ofEvent = eventId === undefined ? doubtful : doubtful.where('entries.eventId', '=', eventId);
		select = select.where('entries.id', 'not in', ofEvent);
	}
	if (updatedSince !== undefined) select = select.where(hasChangedSince(updatedSince, 'entries.updatedAt'));
	// Of few entries, the planner would combine their index with that of the texts, which reads all hits of a frequent word.
	const text = areFew(query) ? sql<string>`(entries.search_text || '')` : 'entries.searchText';
	if (q === undefined) return select;
	const isHit = anyOf(textOrNumber(q, text));
	return select.where(query.isFrequentText === true ? compared(isHit) : isHit);
}

/** Whether a condition other than the text leaves few entries. */
export function areFew({ isOfClubs, eventId, riderMemberId, horseId }: EntryScopes): boolean {
	return isOfClubs === true || (eventId ?? riderMemberId ?? horseId) !== undefined;
}

export function textOrNumber(
	typed: string,
	text: Parameters<typeof textMatches>[0],
): readonly RawBuilder<boolean>[] {
	const matches = textMatches(text, textQuery(typed));
	return isNumber(typed) ? [matches, sql`entries.entry_number = ${Number(typed)}`] : [matches];
}

/** Whether the number of an entry was typed. */
export function isNumber(typed: string): boolean {
	return /^\d{1,9}$/.test(typed);
}
