import { dayInVienna, yearOf } from '@paddock/calendar';
import type { Page } from '@paddock/contract';
import type { Principal } from '@paddock/identity';
import type { CallContext } from '@paddock/peers';
import type { Route } from '@paddock/service';
import { calendarFreshness, listCacheControl } from '../cache-control.ts';
import { type EventsDeps, route } from '../deps.ts';
import { visibleTo } from './access.ts';
import { calendarDocument, calendarQuery } from './calendar-schemas.ts';
import { type Event, eventPage } from './event-schemas.ts';
import { listEvents } from './list.ts';
import { type EventQuery, eventQuery, eventSearchQuery } from './query-schemas.ts';
import { countEvents } from './stats.ts';
import { eventStats, statsQuery } from './stats-schemas.ts';
import { eventViews, toEvent } from './view.ts';

const path = '/api/events';

interface ListRequest extends CallContext {
	readonly query: EventQuery;
	readonly principal: Principal | undefined;
	readonly now: Date;
}

async function listHandler(request: ListRequest, deps: EventsDeps): Promise<Page<Event>> {
	const { query, principal, now } = request;
	const page = await listEvents(deps.db, query, visibleTo(principal), now);
	const items = page.items.map((row) => toEvent(row, now));
	return { ...page, items: await eventViews(items, request, deps) };
}

const list = {
	method: 'get',
	access: 'public',
	tokenOptional: true,
	cacheControl: listCacheControl,
	mayLag: true,
} as const;

export const eventListRoutes: readonly Route<EventsDeps>[] = [
	route({
		...list,
		path,
		operationId: 'listEvents',
		summary: 'List events',
		description: 'Events that the caller may see. All filters are combined; sorted by first day by default.',
		query: eventQuery,
		output: eventPage,
		message: 'Events',
		handler: listHandler,
	}),
	route({
		...list,
		path: `${path}/search`,
		operationId: 'searchEvents',
		summary: 'Search events',
		description: 'Like the list, with a search text; the best hits come first.',
		query: eventSearchQuery,
		output: eventPage,
		message: 'Events found',
		handler: listHandler,
	}),
	route({
		...list,
		path: `${path}/stats`,
		operationId: 'countEvents',
		summary: 'Statistics of the events of a year',
		description: 'Counts the events that the caller may see.',
		query: statsQuery,
		output: eventStats,
		message: 'Events in numbers',
		handler: ({ query, principal, now }, { db }) =>
			countEvents(db, query.year ?? yearOf(dayInVienna(now)), visibleTo(principal), now),
	}),
	route({
		method: 'get',
		path: `${path}/calendar.ics`,
		operationId: 'getEventCalendar',
		summary: 'Public events as a calendar to subscribe to',
		description:
			'Future events and those of the last 90 days, in iCalendar (RFC 5545). Unknown query parameters are ignored.',
		access: 'public',
		query: calendarQuery,
		output: calendarDocument,
		message: 'Calendar',
		document: 'text/calendar',
		fileName: 'events.ics',
		etag: 'content',
		cacheControl: calendarFreshness,
		handler: ({ query, now }, { calendar }) => calendar.text(query, now),
	}),
];
