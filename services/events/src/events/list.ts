import type { Page } from '@paddock/contract';
import { listPage, matchesAny, rowsOfPage, sorted, textMatches, textQuery } from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { sql } from 'kysely';
import type { EventsQueryable } from '../database-schema.ts';
import type { EventQuery } from './query-schemas.ts';
import {
	type CountedEventRow,
	type EventScope,
	eventCounts,
	isVisible,
	openForEntry,
	shownStatus,
} from './store.ts';

const order = { defaultSort: ['startDate'], alphabetical: ['name'] } as const;

/** Matching events that the caller may see. Without `sort`: with `q` prefix matches first, then by first day. */
export async function listEvents(
	db: EventsQueryable,
	query: EventQuery,
	scope: EventScope,
	now: Date,
): Promise<Page<CountedEventRow>> {
	let select = matching(db, query, now).select('id').where(isVisible(scope));
	if (query.q !== undefined && query.sort === undefined) {
		select = select.orderBy(matchesAny('searchText', textQuery(query.q).start), 'desc');
	}
	const ordered = sorted(select, query.sort, order).orderBy('id');
	const page = await listPage(ordered, pageRequest(query), ({ id }) => id);
	const found = db.selectFrom('events').selectAll().select(eventCounts);
	return rowsOfPage(page, (ids) => found.where('id', 'in', ids).execute());
}

function matching(db: EventsQueryable, query: EventQuery, now: Date) {
	let select = db.selectFrom('events');
	if (query.from !== undefined) select = select.where('endDate', '>=', query.from);
	if (query.to !== undefined) select = select.where('startDate', '<=', query.to);
	if (query.discipline !== undefined)
		select = select.where(sql<boolean>`disciplines @> array[${query.discipline}]`);
	if (query.category !== undefined) select = select.where('category', '=', query.category);
	if (query.ruleset !== undefined) select = select.where('ruleset', '=', query.ruleset);
	if (query.stateCode !== undefined) select = select.where('venueStateCode', '=', query.stateCode);
	if (query.organiserClubId !== undefined)
		select = select.where('organiserClubId', '=', query.organiserClubId);
	if (query.venueId !== undefined) select = select.where('venueId', '=', query.venueId);
	if (query.status !== undefined) select = select.where(shownStatus(now), '=', query.status);
	if (query.openForEntry !== undefined)
		select = select.where(sql<boolean>`coalesce(${openForEntry(now)}, false) = ${query.openForEntry}`);
	if (query.q !== undefined) select = select.where(textMatches('searchText', textQuery(query.q)));
	return select;
}
