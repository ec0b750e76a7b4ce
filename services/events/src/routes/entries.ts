import { idParameters, type Route } from '@paddock/service';
import { type EventsDeps, route } from '../deps.ts';
import { changeStarts } from '../entries/change-starts.ts';
import { confirmEntry } from '../entries/confirm-entry.ts';
import { readingParties } from '../entries/entry-authority.ts';
import { keptHorsesForReading } from '../entries/entry-list-scope.ts';
import { toEntry, toEntryPage } from '../entries/entry-view.ts';
import { declineEntry, rejectEntry, withdrawEntry } from '../entries/finish-entry.ts';
import { previewEntry, submitEntry } from '../entries/submit-entry.ts';
import { errorsNamed } from '../errors.ts';
import { mayManage, visibleTo } from '../event-access.ts';
import { getEntryRow } from '../repository/entries.ts';
import { listEventEntries } from '../repository/entry-list.ts';
import { getEventRow } from '../repository/events.ts';
import { entry, entryPage, entryParameters } from '../schemas/entry.ts';
import { entryBody, entryChangeBody, entryVerdict, rejection } from '../schemas/entry-body.ts';
import { eventEntriesQuery } from '../schemas/entry-query.ts';
import { personalCacheControl } from './cache-control.ts';

const path = '/api/events/{id}/entries';
const whoEnters =
	'The rider, a guardian, an official of the home club and the office agree for the rider; an owner, the person responsible, an official of the club and the office for the horse. Who acts for both makes an entry that counts at once, and so does the organiser with a late one. Others make one that is PENDING_CONFIRMATION until the missing side confirms it.';

const oneEntry = {
	access: 'signedIn',
	params: entryParameters,
	output: entry,
	etag: 'shownVersion',
} as const;

const newEntry = { method: 'post', access: 'signedIn', params: idParameters, body: entryBody } as const;

const reading: readonly Route<EventsDeps>[] = [
	route({
		method: 'get',
		path,
		operationId: 'listEventEntries',
		summary: 'List the entries of an event',
		description:
			'The organiser and officers see all, others those that concern them: owners all entries of a horse that is theirs now, former owners those made while it was theirs.',
		access: 'signedIn',
		params: idParameters,
		query: eventEntriesQuery,
		output: entryPage,
		message: 'Entries',
		etag: 'content',
		cacheControl: personalCacheControl,
		mayLag: true,
		handler: async (request, { db, directory }) => {
			const { params, query, principal, now } = request;
			const event = await getEventRow(db, params.id, visibleTo(principal));
			const seesAll = mayManage(principal, event.organiserClubId);
			const keptHorses = seesAll ? 'all' : await keptHorsesForReading(request, directory);
			const page = await listEventEntries(db, event.id, { principal, now, keptHorses }, query);
			return toEntryPage(page, request);
		},
	}),
	route({
		...oneEntry,
		method: 'get',
		path: `${path}/{entryId}`,
		operationId: 'getEntry',
		summary: 'Get an entry of an event',
		message: 'Entry',
		cacheControl: personalCacheControl,
		handler: async (request, { db, directory }) => {
			const { params, principal, now } = request;
			await getEventRow(db, params.id, visibleTo(principal));
			const row = await getEntryRow(db, params);
			return toEntry(row, { principal, now, present: await readingParties(row, request, directory) });
		},
	}),
];

const entering: readonly Route<EventsDeps>[] = [
	route({
		...newEntry,
		path,
		operationId: 'createEntry',
		summary: 'Enter a horse with its rider',
		description: `${whoEnters} All checks are made first; where one is an error, the response has all of them and nothing is stored. Details about a rider or a horse are for those who act for them.`,
		output: entry,
		status: 201,
		message: 'Entry made',
		location: ({ id, eventId }) => `${path.replace('{id}', eventId)}/${id}`,
		etag: 'shownVersion',
		idempotent: true,
		errors: errorsNamed('OUT_OF_SCOPE', 'ENTRY_NOT_ALLOWED'),
		handler: submitEntry,
	}),
	route({
		...newEntry,
		path: `${path}/check`,
		operationId: 'checkEntry',
		summary: 'Check an entry without making it',
		output: entryVerdict,
		message: 'Entry checked',
		errors: errorsNamed('OUT_OF_SCOPE'),
		handler: previewEntry,
	}),
];

const changing = route({
	...oneEntry,
	method: 'put',
	path: `${path}/{entryId}`,
	operationId: 'changeEntry',
	summary: 'Add and remove starts of an entry',
	description:
		'While the event accepts entries of its type; the organiser adds starts while late entries are accepted. Added starts are checked as in a new entry; who may enter the rider adds them, and whoever may withdraw the entry removes them. Where the entry has its place, an added competition must have one too. Fees of removed starts are no longer due.',
	body: entryChangeBody,
	serverOwned: true,
	message: 'Entry changed',
	precondition: true,
	errors: errorsNamed('OUT_OF_SCOPE', 'ENTRY_NOT_ALLOWED', 'COMPETITION_FULL', 'ILLEGAL_STATE_TRANSITION'),
	handler: changeStarts,
});

const confirming: readonly Route<EventsDeps>[] = [
	route({
		...oneEntry,
		method: 'post',
		path: `${path}/{entryId}/confirm`,
		operationId: 'confirmEntry',
		summary: 'Confirm an entry that waits for the caller’s side',
		description:
			'By those who act for the side whose confirmation is missing (`missingConfirmations`), until the entry deadline and before the first day: for the rider a guardian and officials of the home club too, for the horse its owners, the person responsible and officials of its club; the office for both. All checks are made again, and once both sides agree the entry becomes what a new one would become. Send If-Match: its starts may have changed since they were read. One that is confirmed already stays as it is.',
		message: 'Entry confirmed',
		precondition: true,
		errors: errorsNamed('OUT_OF_SCOPE', 'ENTRY_NOT_ALLOWED', 'ILLEGAL_STATE_TRANSITION'),
		handler: confirmEntry,
	}),
	route({
		...oneEntry,
		method: 'post',
		path: `${path}/{entryId}/decline`,
		operationId: 'declineEntry',
		summary: 'Decline an entry that waits for the caller’s side',
		description: 'By those who may confirm it. One that is declined already stays as it is.',
		message: 'Entry declined',
		errors: errorsNamed('OUT_OF_SCOPE', 'ILLEGAL_STATE_TRANSITION'),
		handler: declineEntry,
	}),
];

const finishing: readonly Route<EventsDeps>[] = [
	route({
		...oneEntry,
		method: 'post',
		path: `${path}/{entryId}/withdraw`,
		operationId: 'withdrawEntry',
		summary: 'Withdraw an entry',
		description:
			'By those who may make it, as the horse’s owners and responsible person those of today, until the event is over; the first of the waiting list that fits gets the place. A place given back after the entry deadline stays due. An entry that is withdrawn already stays as it is.',
		message: 'Entry withdrawn',
		errors: errorsNamed('OUT_OF_SCOPE', 'ILLEGAL_STATE_TRANSITION'),
		handler: withdrawEntry,
	}),
	route({
		...oneEntry,
		method: 'post',
		path: `${path}/{entryId}/reject`,
		operationId: 'rejectEntry',
		summary: 'Reject an entry',
		description: 'By the organiser and officers, until the event is over; nothing is due then.',
		body: rejection,
		message: 'Entry rejected',
		errors: errorsNamed('OUT_OF_SCOPE', 'ILLEGAL_STATE_TRANSITION'),
		handler: (request, deps) => rejectEntry(request, request.body.reason, deps),
	}),
];

/** Participant registration at one event. */
export const entryRoutes: readonly Route<EventsDeps>[] = [
	...reading,
	...entering,
	changing,
	...confirming,
	...finishing,
];
