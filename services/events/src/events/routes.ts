import { dayInVienna, yearOf } from '@paddock/calendar';
import { historyRoute } from '@paddock/context';
import type { Page } from '@paddock/contract';
import { isOfficer } from '@paddock/identity';
import type { CallingRequest } from '@paddock/peers';
import type { Route } from '@paddock/service';
import { competitionFields } from '../competitions/schemas.ts';
import {
	calendarFreshness,
	type EventsDeps,
	eventCacheControl,
	listCacheControl,
	route,
	update,
} from '../deps.ts';
import { managerErrors } from '../errors.ts';
import { type EventViewer, eventReaders, getManagedEvent, managersOnly } from './access.ts';
import { calendarDocument, calendarQuery } from './calendar.ts';
import { changeEvent, createEvent, deleteEvent } from './change-event.ts';
import { countEvents, listEvents } from './list.ts';
import { type EventQuery, eventQuery, eventSearchQuery } from './query-schemas.ts';
import { eventBody, eventFields } from './schemas.ts';
import { eventView, eventViews, getEvent, toEvent } from './view.ts';
import { type Event, event, eventPage, eventStats, statsQuery } from './view-schemas.ts';

const path = '/api/events';

interface ListRequest extends CallingRequest {
	readonly query: EventQuery;
	readonly viewer: EventViewer;
	readonly now: Date;
}

async function listHandler(request: ListRequest, deps: EventsDeps): Promise<Page<Event>> {
	const { query, viewer, now } = request;
	const page = await listEvents(deps.db, query, viewer.events, now);
	const items = page.items.map((row) => toEvent(row, now));
	return { ...page, items: await eventViews(items, { ...request, ...viewer }, deps) };
}

const list = {
	method: 'get',
	access: 'public',
	tokenOptional: true,
	readers: eventReaders,
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
		handler: ({ query, viewer, now }, { db }) =>
			countEvents(db, query.year ?? yearOf(dayInVienna(now)), viewer.events, now),
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

const oneEvent = { path: `${path}/{id}`, output: event } as const;

/** Not the remarks of the office: they may have been made to a former organiser. */
const managerHistory: ReadonlySet<string> = new Set([
	...Object.keys({ ...eventFields, ...competitionFields }),
	...['eventNumber', 'status', 'maxBoxes', 'venueName', 'venueCity', 'organiserClubName', 'arenaName'],
	...['horseMinAge', 'entryFee', 'stableFee', 'lateSurcharge', 'swapFee', 'currency'],
]);

export const eventRoutes: readonly Route<EventsDeps>[] = [
	route({
		...oneEvent,
		method: 'get',
		operationId: 'getEvent',
		summary: 'Get an event',
		description:
			'Published public events are visible to all, other published ones to signed-in callers, drafts to their managers. ' +
			'Managers of the event get its officials with member ids; other callers get role and name, and members only ' +
			'if they consent to publication. Status and counts change without a new version; the ETag changes with them.',
		access: 'public',
		tokenOptional: true,
		message: 'Event',
		etag: 'shownVersion',
		cacheControl: eventCacheControl,
		readers: eventReaders,
		handler: async (request, deps) => {
			const { principal } = request.viewer;
			const event = await getEvent(deps.db, request.params.id, { principal, now: request.now });
			return eventView(event, { ...request, principal }, deps);
		},
	}),
	route({
		method: 'post',
		path,
		operationId: 'createEvent',
		writers: 'activeMembers',
		summary: 'Create an event as a draft',
		access: managersOnly,
		body: eventBody,
		output: event,
		status: 201,
		message: 'Event created',
		location: ({ id }) => `${path}/${id}`,
		etag: 'shownVersion',
		idempotent: true,
		errors: managerErrors('EVENT_NUMBER_TAKEN', 'EVENT_NUMBERS_USED_UP'),
		handler: createEvent,
	}),
	...update({
		...oneEvent,
		operationId: 'replaceEvent',
		writers: 'activeMembers',
		summary: 'Change an event',
		description:
			'After publication only the federation’s office ' +
			'can change dates, deadlines, venue, organiser, ruleset, category and fees. Days that competitions have cannot be removed: `rescheduleEvent` moves them along. Entries keep their places and are judged again: ' +
			'`entriesNeedingAttention` has those that no longer fit.',
		access: managersOnly,
		body: eventBody,
		message: 'Event updated',
		etag: 'shownVersion',
		errors: managerErrors(
			'EVENT_NUMBER_TAKEN',
			'EVENT_CLOSED',
			'EVENT_SUBMITTED',
			'COMPETITIONS_DEPEND_ON_IT',
			'EVENT_NOT_READY',
		),
		handler: changeEvent,
	}),
	route({
		...oneEvent,
		method: 'delete',
		operationId: 'deleteEvent',
		writers: 'activeMembers',
		summary: 'Delete a draft with its competitions',
		description: 'An event that was published is cancelled instead.',
		access: managersOnly,
		message: 'Event deleted',
		precondition: true,
		errors: managerErrors('EVENT_HAS_ENTRIES', 'CANNOT_DELETE_ACTIVE_EVENT', 'EVENT_SUBMITTED'),
		handler: deleteEvent,
	}),
	historyRoute<EventsDeps>({
		tag: 'events',
		recordPath: `${path}/{id}`,
		noun: 'event',
		access: managersOnly,
		seen: async (call, { db }) => {
			await getManagedEvent(db, call);
			return isOfficer(call.principal) ? 'all' : managerHistory;
		},
		errors: managerErrors(),
		description:
			'For those who manage the event, with the changes of its competitions; reasons, remarks and authors are shown to the office.',
	}),
];
