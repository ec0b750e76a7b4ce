import { inTransaction, once } from '@paddock/database';
import { idParameters, type Route, refuseServerOwnedChanges, requireVersion } from '@paddock/service';
import { type EventsDeps, route } from '../deps.ts';
import { blockedEntries, promoteWaiting } from '../entries/promote-waiting.ts';
import { eventsError, managerErrors } from '../errors.ts';
import { managersOnly, requireManager } from '../event-access.ts';
import { requireChangeable, requireCompetitionsFit, requireOfficerFor } from '../event-changes.ts';
import { requireReadiness } from '../event-readiness.ts';
import { eventSnapshot } from '../event-references.ts';
import { eventView, getEvent, toEvent } from '../event-view.ts';
import { getManagedEvent, lockManagedEvent } from '../managed-event.ts';
import { competitionRows } from '../repository/competitions.ts';
import { deleteEvent, insertEvent, updateEvent } from '../repository/event-writes.ts';
import { hasEntries } from '../repository/events.ts';
import { event } from '../schemas/event.ts';
import { eventBody } from '../schemas/event-body.ts';
import { checkActingMember } from './active-members-only.ts';
import { eventCacheControl } from './cache-control.ts';

const path = '/api/events';
const noCounts = { competitions: 0, entries: 0, accepted: 0, waitlisted: 0 };

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
	handler: (request, { db, directory }) => {
		const { body, principal, now } = request;
		requireManager(principal, body.organiserClubId);
		requireOfficerFor(body.eventNumber === undefined ? [] : ['eventNumber'], principal);
		return once(db, request, {
			operationId: 'createEvent',
			input: body,
			check: async () => {
				await checkActingMember(request, { directory });
				return eventSnapshot(directory, body, undefined, request);
			},
			effect: async (transaction, snapshot) => {
				const row = await insertEvent(transaction, { body, snapshot, now });
				return toEvent({ ...row, counts: noCounts }, now);
			},
		});
	},
});

const replacing = route({
	...oneEvent,
	method: 'put',
	operationId: 'replaceEvent',
	summary: 'Replace an event',
	description:
		'A field that is left out gets its default; the number stays. Once the event is published its dates, deadlines, ' +
		'venue, organiser, ruleset, category and fees change only by the federation office.',
	access: managersOnly,
	body: eventBody,
	serverOwned: true,
	message: 'Event updated',
	etag: 'shownVersion',
	precondition: true,
	errors: managerErrors('EVENT_NUMBER_TAKEN', 'EVENT_CLOSED', 'COMPETITIONS_DEPEND_ON_IT', 'EVENT_NOT_READY'),
	handler: async (request, { db, directory }) => {
		const { params, body, principal, now } = request;
		const read = await getManagedEvent(db, request);
		requireManager(principal, body.organiserClubId);
		const snapshot = await eventSnapshot(directory, body, read, request);
		const blocked = await blockedEntries(db, read, directory, request);
		return inTransaction(db, async (transaction) => {
			const stored = await lockManagedEvent(transaction, request);
			requireVersion(request.ifMatch, stored.version);
			// Any value is accepted: the counts change without an edit of the event.
			const { counts: _, ...serverOwned } = request.serverOwned;
			refuseServerOwnedChanges(serverOwned, toEvent({ ...stored, counts: noCounts }, now));
			requireChangeable(stored, body, { principal, now });
			const competitions = await competitionRows(transaction, params.id);
			requireCompetitionsFit(competitions, stored, body);
			if (stored.status === 'PUBLISHED') requireReadiness({ entryDeadline: body.entryDeadline });
			const updated = await updateEvent(transaction, stored, { body, snapshot, now });
			await promoteWaiting(transaction, updated, now, blocked);
			return getEvent(transaction, params.id, request);
		});
	},
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
	handler: (request, { db }) =>
		inTransaction(db, async (transaction) => {
			const stored = await lockManagedEvent(transaction, request);
			requireVersion(request.ifMatch, stored.version);
			if (await hasEntries(transaction, stored.id)) throw eventsError('EVENT_HAS_ENTRIES');
			if (stored.status !== 'DRAFT') throw eventsError('CANNOT_DELETE_ACTIVE_EVENT');
			const deleted = await getEvent(transaction, stored.id, request);
			await deleteEvent(transaction, stored.id);
			return deleted;
		}),
});

export const eventRoutes: readonly Route<EventsDeps>[] = [getting, creating, replacing, deleting];
