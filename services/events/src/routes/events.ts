import { idParameters, type Route } from '@paddock/service';
import { createEvent, deleteEvent, replaceEvent } from '../change-events.ts';
import { type EventsDeps, route } from '../deps.ts';
import { managerErrors } from '../errors.ts';
import { managersOnly } from '../event-access.ts';
import { eventView, getEvent } from '../event-view.ts';
import { event } from '../schemas/event.ts';
import { eventBody } from '../schemas/event-body.ts';
import { eventCacheControl } from './cache-control.ts';

const path = '/api/events';

const oneEvent = { path: `${path}/{id}`, params: idParameters, output: event } as const;

const getting = route({
	...oneEvent,
	method: 'get',
	operationId: 'getEvent',
	summary: 'Get an event',
	description:
		'Published public events are for all, other published ones for signed-in callers, drafts for those ' +
		'who run them. Officials are shown with their member ids to those who run the event; to others without, and of ' +
		'those who are members only those who consent to be published. Status and counts move without a new version; the ETag moves with them.',
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
	summary: 'Announce an event, as a draft',
	access: managersOnly,
	body: eventBody,
	output: event,
	status: 201,
	message: 'Event created',
	location: ({ id }) => `${path}/${id}`,
	etag: 'shownVersion',
	idempotent: true,
	errors: managerErrors('EVENT_NUMBER_TAKEN'),
	handler: (request, deps) => createEvent(request.body, request, deps),
});

const replacing = route({
	...oneEvent,
	method: 'put',
	operationId: 'replaceEvent',
	summary: 'Replace an event',
	description:
		'A field that is left out gets its default; the number stays. Once the event is published its dates, deadlines, ' +
		'venue, organiser, ruleset, category and fees change only by the federation’s office.',
	access: managersOnly,
	body: eventBody,
	serverOwned: true,
	message: 'Event updated',
	etag: 'shownVersion',
	precondition: true,
	errors: managerErrors('EVENT_NUMBER_TAKEN', 'EVENT_CLOSED', 'COMPETITIONS_DEPEND_ON_IT', 'EVENT_NOT_READY'),
	handler: (request, deps) => replaceEvent(request.body, request, deps),
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
