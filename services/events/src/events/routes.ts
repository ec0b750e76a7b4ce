import { idParameters, type Route } from '@paddock/service';
import { eventCacheControl } from '../cache-control.ts';
import { type EventsDeps, route } from '../deps.ts';
import { managerErrors } from '../errors.ts';
import { managersOnly } from './access.ts';
import { createEvent, deleteEvent, replaceEvent } from './change-event.ts';
import { event } from './event-schemas.ts';
import { eventBody } from './schemas.ts';
import { eventView, getEvent } from './view.ts';

const path = '/api/events';

const oneEvent = { path: `${path}/{id}`, params: idParameters, output: event } as const;

const getting = route({
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
	handler: async (request, deps) =>
		eventView(await getEvent(deps.db, request.params.id, request), request, deps),
});

const creating = route({
	method: 'post',
	path,
	operationId: 'createEvent',
	summary: 'Create an event as a draft',
	access: managersOnly,
	body: eventBody,
	output: event,
	status: 201,
	message: 'Event created',
	location: ({ id }) => `${path}/${id}`,
	etag: 'shownVersion',
	idempotent: true,
	errors: managerErrors('EVENT_NUMBER_TAKEN'),
	handler: createEvent,
});

const replacing = route({
	...oneEvent,
	method: 'put',
	operationId: 'replaceEvent',
	summary: 'Replace an event',
	description:
		'An omitted field gets its default; an omitted number does not change. After publication only the federation’s office ' +
		'can change dates, deadlines, venue, organiser, ruleset, category and fees. Days that competitions have cannot be removed: `rescheduleEvent` moves them along. Entries keep their places and are judged again: ' +
		'`entriesNeedingAttention` has those that no longer fit.',
	access: managersOnly,
	body: eventBody,
	serverOwned: true,
	message: 'Event updated',
	etag: 'shownVersion',
	precondition: true,
	errors: managerErrors('EVENT_NUMBER_TAKEN', 'EVENT_CLOSED', 'COMPETITIONS_DEPEND_ON_IT', 'EVENT_NOT_READY'),
	handler: replaceEvent,
});

const deleting = route({
	...oneEvent,
	method: 'delete',
	operationId: 'deleteEvent',
	summary: 'Delete a draft with its competitions',
	description: 'An event that was published is cancelled instead.',
	access: managersOnly,
	message: 'Event deleted',
	precondition: true,
	errors: managerErrors('EVENT_HAS_ENTRIES', 'CANNOT_DELETE_ACTIVE_EVENT'),
	handler: deleteEvent,
});

export const eventRoutes: readonly Route<EventsDeps>[] = [getting, creating, replacing, deleting];
