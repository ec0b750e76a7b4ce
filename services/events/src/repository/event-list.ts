import type { Page } from '@paddock/contract';
import { alphabetical, listPage, type Ordering, searchPatterns, sorted } from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { sql } from 'kysely';
import type { EventsQueryable } from '../database-schema.ts';
import type { EventQuery } from '../schemas/event-query.ts';
import { openForEntry, shownStatus, visibleTo } from './event-visibility.ts';
import { type CountedEventRow, eventCounts, type Viewer } from './events.ts';
import { inOrder } from './in-order.ts';

type SortField = NonNullable<EventQuery['sort']>[number]['field'];

const ordering: Ordering<SortField> = {
	startDate: sql.ref('start_date'),
	endDate: sql.ref('end_date'),
	entryDeadline: sql.ref('entry_deadline'),
	name: alphabetical('name'),
	eventNumber: sql.ref('event_number'),
	category: sql.ref('category'),
};
const defaultSort = [{ field: 'startDate', descending: false }] as const;

/** Matching events that the viewer may see. Without `sort`: with `q` prefix matches first, then by first day. */
export async function listEvents(
	db: EventsQueryable,
	query: EventQuery,
	{ principal, now }: Viewer,
): Promise<Page<CountedEventRow>> {
	let select = matching(db, query, now).select('id').where(visibleTo(principal));
	if (query.q !== undefined && query.sort === undefined) {
		const { prefix } = searchPatterns(query.q);
		select = select.orderBy(sql`search_text like any (${prefix})`, 'desc');
	}
	const ordered = sorted(select, query.sort ?? defaultSort, ordering).orderBy('id');
	const { items: ids, ...page } = await listPage(ordered, pageRequest(query), ({ id }) => id);
	const rows = await rowsOf(db, ids);
	return { ...page, items: [...inOrder(ids, rows)] };
}

// A separate query: columns selected in the search would be computed for every event, not only for those of the page.
async function rowsOf(db: EventsQueryable, ids: readonly string[]): Promise<readonly CountedEventRow[]> {
	if (ids.length === 0) return [];
	return db.selectFrom('events').selectAll().select(eventCounts).where('id', 'in', ids).execute();
}

function matching(db: EventsQueryable, query: EventQuery, now: Date) {
	let select = db.selectFrom('events');
	if (query.from !== undefined) select = select.where('end_date', '>=', query.from);
	if (query.to !== undefined) select = select.where('start_date', '<=', query.to);
	if (query.discipline !== undefined)
		select = select.where(sql<boolean>`disciplines @> array[${query.discipline}]`);
	if (query.category !== undefined) select = select.where('category', '=', query.category);
	if (query.ruleset !== undefined) select = select.where('ruleset', '=', query.ruleset);
	if (query.stateCode !== undefined) select = select.where('venue_state_code', '=', query.stateCode);
	if (query.organiserClubId !== undefined)
		select = select.where('organiser_club_id', '=', query.organiserClubId);
	if (query.venueId !== undefined) select = select.where('venue_id', '=', query.venueId);
	if (query.status !== undefined) select = select.where(shownStatus(now), '=', query.status);
	if (query.openForEntry !== undefined)
		select = select.where(sql<boolean>`coalesce(${openForEntry(now)}, false) = ${query.openForEntry}`);
	if (query.q !== undefined)
		select = select.where(sql<boolean>`search_text like any (${searchPatterns(query.q).infix})`);
	return select;
}
