import { historyRoute } from '@paddock/context';
import { isOfficer } from '@paddock/identity';
import type { Call, Route } from '@paddock/service';
import type { z } from 'zod';
import { type EventsDeps, personalCacheControl, route, update } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { mayManage, visibleTo } from '../events/access.ts';
import { getEventRow } from '../events/store.ts';
import { changeStarts } from './change-starts.ts';
import { confirmEntry, declineEntry, rejectEntry, withdrawEntry } from './finish-entry.ts';
import { listEventEntries } from './list.ts';
import { readingParties } from './rights/present-parties.ts';
import { keptHorsesForReading } from './rights/visibility.ts';
import {
	entryBody,
	entryChangeBody,
	entryConfirmation,
	entryVerdict,
	eventEntriesQuery,
	rejection,
	swapBody,
} from './schemas.ts';
import { getEntryRow } from './store.ts';
import { previewEntry, submitEntry } from './submit-entry.ts';
import { swapEntry } from './swap-entry.ts';
import { toEntry, toEntryPage } from './view.ts';
import { entry, entryPage, entryParameters } from './view-schemas.ts';

const path = '/api/events/{id}/entries';
const whoEnters =
	'The rider, a guardian, an official of the home club and the office act for the rider; an owner, the responsible person, an official of the club and the office act for the horse. An entry by a caller who acts for both, and a late entry by the organiser, counts at once. Any other entry is PENDING_CONFIRMATION until the missing side confirms it.';

const oneEntry = {
	access: 'signedIn',
	params: entryParameters,
	output: entry,
	etag: 'shownVersion',
} as const;

const newEntry = { method: 'post', access: 'signedIn', body: entryBody } as const;

/** The entry, with what decides about the parts that the caller sees. @throws ApiError NOT_FOUND */
async function readableEntry(
	request: Call & { readonly params: z.output<typeof entryParameters> },
	{ db, directory }: EventsDeps,
) {
	const { params, principal, now } = request;
	await getEventRow(db, params.id, visibleTo(principal));
	const row = await getEntryRow(db, params);
	return { row, principal, now, present: await readingParties(row, request, directory) };
}

const entryHistory: ReadonlySet<string> = new Set([
	...['type', 'status', 'statusReason', 'riderMemberId', 'riderName', 'horseId', 'horseName', 'boxes'],
	...['isConfirmed', 'isHorseConfirmed', 'amountDue', 'freeWithdrawalUntil', 'competitionId', 'startFee'],
]);

export const entryRoutes: readonly Route<EventsDeps>[] = [
	route({
		method: 'get',
		path,
		operationId: 'listEventEntries',
		summary: 'List the entries of an event',
		description:
			'The organiser and officers get all entries, other callers those that concern them: owners all entries of their horses, former owners those made while they owned the horse.',
		access: 'signedIn',
		query: eventEntriesQuery,
		output: entryPage,
		message: 'Entries',
		etag: 'content',
		cacheControl: personalCacheControl,
		mayLag: true,
		readers: async (request, { db, directory }) => {
			const { params, principal, now } = request;
			const event = await getEventRow(db, params.id, visibleTo(principal));
			const seesAll = mayManage(principal, event.organiserClubId);
			const keptHorses = seesAll ? ('all' as const) : await keptHorsesForReading(request, directory);
			return { principal, keptHorses, now };
		},
		handler: async ({ params, query, viewer }, { db }) => {
			return toEntryPage(await listEventEntries(db, params.id, viewer, query), viewer);
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
		readers: readableEntry,
		handler: ({ viewer: { row, ...viewer } }) => toEntry(row, viewer),
	}),
	route({
		...newEntry,
		path,
		operationId: 'createEntry',
		writers: 'activeMembers',
		summary: 'Enter a horse with its rider',
		description: `${whoEnters} All checks run first; if one is an error, the response has all of them and nothing is stored. Details about a rider or a horse are returned only to callers who act for them.`,
		output: entry,
		status: 201,
		message: 'Entry made',
		location: ({ id, eventId }) => `${path.replace('{id}', eventId)}/${id}`,
		etag: 'shownVersion',
		idempotent: true,
		errors: errorsNamed('OUT_OF_SCOPE', 'ENTRY_NOT_ALLOWED', 'CONFLICT'),
		handler: submitEntry,
	}),
	route({
		...newEntry,
		path: `${path}/check`,
		operationId: 'checkEntry',
		writers: 'activeMembers',
		summary: 'Check an entry without making it',
		output: entryVerdict,
		message: 'Entry checked',
		errors: errorsNamed('OUT_OF_SCOPE'),
		handler: previewEntry,
	}),
	...update({
		...oneEntry,
		path: `${path}/{entryId}`,
		operationId: 'changeEntry',
		writers: 'activeMembers',
		summary: 'Add and remove starts of an entry',
		description:
			'Possible while the event accepts entries of this type; the organiser can add starts while late entries are accepted. Callers who may enter the rider can add starts, which are checked as in a new entry; callers who may withdraw the entry can remove them. If the entry has a place, an added competition must have a free one. Fees of removed starts are no longer due; boxes can be added while the event has some left, and are given back free of charge up to ten days before the event (OeTO §23.4).',
		body: entryChangeBody,
		message: 'Entry changed',
		errors: errorsNamed(
			'OUT_OF_SCOPE',
			'ENTRY_NOT_ALLOWED',
			'COMPETITION_FULL',
			'BOXES_FULL',
			'ENTRY_CHANGES_USED_UP',
			'ILLEGAL_STATE_TRANSITION',
		),
		handler: changeStarts,
	}),
	route({
		...oneEntry,
		method: 'post',
		path: `${path}/{entryId}/swap`,
		operationId: 'swapEntry',
		writers: 'activeMembers',
		summary: 'Pass an entry to another horse or rider',
		description:
			'With all of its starts and its place, also after the entry deadline, until the day of its first start is over (OeTO §28.3–4). For callers who act for the new rider and the new horse, and for the office; after the entry deadline for the organiser too. The checks of a new entry run, without those of the deadlines. The swap fee of the event is booked, and `swaps` keeps the former pair.',
		body: swapBody,
		idempotent: true,
		message: 'Entry passed on',
		precondition: true,
		errors: errorsNamed(
			'OUT_OF_SCOPE',
			'ENTRY_NOT_ALLOWED',
			'ENTRY_NOT_SWAPPABLE',
			'ENTRY_CHANGES_USED_UP',
			'CONFLICT',
		),
		handler: swapEntry,
	}),
	route({
		...oneEntry,
		method: 'post',
		path: `${path}/{entryId}/confirm`,
		operationId: 'confirmEntry',
		writers: 'activeMembers',
		summary: 'Confirm an entry that waits for the caller’s side',
		description:
			'For callers who act for the side whose confirmation is missing (`missingConfirmations`), until the entry deadline and before the first day: for the rider also a guardian and officials of the home club; for the horse its owners, the responsible person and officials of its club; the office for both. All checks run again. With both confirmations the entry gets the status that a new entry would get. Send If-Match, as the starts may have changed since they were read. Confirming again changes nothing.',
		body: entryConfirmation,
		message: 'Entry confirmed',
		precondition: true,
		errors: errorsNamed('OUT_OF_SCOPE', 'ENTRY_NOT_ALLOWED', 'ILLEGAL_STATE_TRANSITION', 'CONFLICT'),
		handler: confirmEntry,
	}),
	route({
		...oneEntry,
		method: 'post',
		path: `${path}/{entryId}/decline`,
		operationId: 'declineEntry',
		writers: 'activeMembers',
		summary: 'Decline an entry that waits for the caller’s side',
		description: 'For callers who may confirm it. Declining again changes nothing.',
		message: 'Entry declined',
		precondition: true,
		errors: errorsNamed('OUT_OF_SCOPE', 'ILLEGAL_STATE_TRANSITION', 'CONFLICT'),
		handler: declineEntry,
	}),
	route({
		...oneEntry,
		method: 'post',
		path: `${path}/{entryId}/withdraw`,
		operationId: 'withdrawEntry',
		writers: 'activeMembers',
		summary: 'Withdraw an entry',
		description:
			'For callers who may create it, with the horse’s present owners and responsible person, until the event is over. The first suitable entry of the waiting list gets the place. The fees of an entry that is withdrawn after the entry deadline, and after its `freeWithdrawalUntil`, remain due; so does the rest of an entry whose competitions were all cancelled, which can be withdrawn too. Withdrawing again changes nothing.',
		message: 'Entry withdrawn',
		precondition: true,
		errors: errorsNamed('OUT_OF_SCOPE', 'ILLEGAL_STATE_TRANSITION', 'CONFLICT'),
		handler: withdrawEntry,
	}),
	route({
		...oneEntry,
		method: 'post',
		path: `${path}/{entryId}/reject`,
		operationId: 'rejectEntry',
		writers: 'activeMembers',
		summary: 'Reject an entry',
		description: 'For the organiser and officers, until the event is over. No fees remain due.',
		body: rejection,
		message: 'Entry rejected',
		precondition: true,
		errors: errorsNamed('OUT_OF_SCOPE', 'ILLEGAL_STATE_TRANSITION', 'CONFLICT'),
		handler: rejectEntry,
	}),
	historyRoute<EventsDeps, typeof entryParameters>({
		tag: 'events',
		recordPath: `${path}/{entryId}`,
		noun: 'entry',
		access: 'signedIn',
		params: entryParameters,
		seen: async (call, deps) => {
			const { principal } = await readableEntry(call, deps);
			return isOfficer(principal) ? 'all' : entryHistory;
		},
		description: 'For those who may read the entry; reasons and authors are shown to the office.',
	}),
];
