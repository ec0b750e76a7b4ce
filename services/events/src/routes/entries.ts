import { commonErrors } from '@paddock/contract';
import { idParameters, type Route } from '@paddock/service';
import { type EventsDeps, route } from '../deps.ts';
import { rejectEntry, requireVisible, withdrawEntry } from '../entries/finish-entry.ts';
import { previewEntry } from '../entries/preview-entry.ts';
import { submitEntry } from '../entries/submit-entry.ts';
import { errorsNamed } from '../errors.ts';
import { getEntryRow, listEventEntries } from '../repository/entries.ts';
import { toEntry } from '../repository/entry-rows.ts';
import { getEventRow } from '../repository/events.ts';
import { entry, entryBody, entryPage, entryParameters, entryVerdict, rejection } from '../schemas/entry.ts';
import { eventEntriesQuery } from '../schemas/entry-query.ts';
import { personalCacheControl } from './cache-control.ts';

const tag = 'events';
const path = '/api/events/{id}/entries';
const outOfScope = { OUT_OF_SCOPE: commonErrors.OUT_OF_SCOPE };
const whoEnters =
	'A member enters as the rider or as the horse’s owner or responsible person, a club official the riders of the club, the organiser and officers everybody.';

const reading: readonly Route<EventsDeps>[] = [
	route({
		method: 'get',
		path,
		operationId: 'listEventEntries',
		tag,
		summary: 'List the entries of an event',
		description: `The organiser and officers see all, others those that concern them. ${whoEnters}`,
		access: 'signedIn',
		params: idParameters,
		query: eventEntriesQuery,
		output: entryPage,
		message: 'Entries',
		etag: 'content',
		cacheControl: personalCacheControl,
		handler: async ({ params, query, principal }, { db }) => {
			const event = await getEventRow(db, params.id, principal);
			return listEventEntries(db, event, principal, query);
		},
	}),
	route({
		method: 'get',
		path: `${path}/{entryId}`,
		operationId: 'getEntry',
		tag,
		summary: 'Get an entry of an event',
		access: 'signedIn',
		params: entryParameters,
		output: entry,
		message: 'Entry',
		etag: 'version',
		cacheControl: personalCacheControl,
		handler: async ({ params, principal }, { db }) => {
			const event = await getEventRow(db, params.id, principal);
			const row = await getEntryRow(db, params);
			requireVisible(principal, event, row);
			return toEntry(row);
		},
	}),
];

const entering: readonly Route<EventsDeps>[] = [
	route({
		method: 'post',
		path,
		operationId: 'createEntry',
		tag,
		summary: 'Enter a horse with its rider',
		description: `${whoEnters} All checks are made before the answer; where one is an error, the answer has all of them and nothing is stored.`,
		access: 'signedIn',
		params: idParameters,
		body: entryBody,
		output: entry,
		status: 201,
		message: 'Entry made',
		location: ({ id, eventId }) => `${path.replace('{id}', eventId)}/${id}`,
		etag: 'version',
		idempotent: true,
		errors: { ...outOfScope, ...errorsNamed('ENTRY_NOT_ALLOWED') },
		handler: (request, deps) => submitEntry({ ...request, eventId: request.params.id }, deps),
	}),
	route({
		method: 'post',
		path: `${path}/check`,
		operationId: 'checkEntry',
		tag,
		summary: 'Check an entry without making it',
		access: 'signedIn',
		params: idParameters,
		body: entryBody,
		output: entryVerdict,
		message: 'Entry checked',
		errors: outOfScope,
		handler: (request, deps) => previewEntry({ ...request, eventId: request.params.id }, deps),
	}),
];

const finishing: readonly Route<EventsDeps>[] = [
	route({
		method: 'post',
		path: `${path}/{entryId}/withdraw`,
		operationId: 'withdrawEntry',
		tag,
		summary: 'Withdraw an entry',
		description: `By whoever may make it, until the event is over; the first of the waiting list that fits gets the place. A place given back after the entry deadline stays due. An entry that is withdrawn already stays as it is.`,
		access: 'signedIn',
		params: entryParameters,
		output: entry,
		message: 'Entry withdrawn',
		etag: 'version',
		errors: errorsNamed('ILLEGAL_STATE_TRANSITION'),
		handler: (request, deps) => withdrawEntry(request, deps),
	}),
	route({
		method: 'post',
		path: `${path}/{entryId}/reject`,
		operationId: 'rejectEntry',
		tag,
		summary: 'Reject an entry',
		description: 'By the organiser and officers, until the event is over; nothing is due then.',
		access: 'signedIn',
		params: entryParameters,
		body: rejection,
		output: entry,
		message: 'Entry rejected',
		etag: 'version',
		errors: { ...outOfScope, ...errorsNamed('ILLEGAL_STATE_TRANSITION') },
		handler: (request, deps) => rejectEntry(request, request.body.reason, deps),
	}),
];

/** Participant registration at one event. */
export const entryRoutes: readonly Route<EventsDeps>[] = [...reading, ...entering, ...finishing];
