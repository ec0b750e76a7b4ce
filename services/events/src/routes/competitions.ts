import { apiError } from '@paddock/contract';
import { inTransaction, once } from '@paddock/database';
import type { Principal } from '@paddock/identity';
import { idParameters, type Route, refuseServerOwnedChanges, requireVersion } from '@paddock/service';
import { competitionDraft, competitionReferences, requireFitting } from '../competition-rules.ts';
import type { CompetitionRow, EventRow } from '../database-schema.ts';
import { type EventsDeps, route } from '../deps.ts';
import { blockedEntries, promoteWaiting } from '../entries/promote-waiting.ts';
import { eventsError, managerErrors } from '../errors.ts';
import { managersOnly, visibleTo } from '../event-access.ts';
import { requireNotOver, requireOfficerFor } from '../event-changes.ts';
import { getManagedEvent, lockManagedEvent } from '../managed-event.ts';
import {
	deleteCompetition,
	getCompetition,
	hasStarts,
	insertCompetition,
	listCompetitions,
	updateCompetition,
} from '../repository/competitions.ts';
import { getEventRow } from '../repository/events.ts';
import {
	type CompetitionBody,
	competition,
	competitionBody,
	competitionPage,
	competitionParameters,
	competitionQuery,
} from '../schemas/competition.ts';
import { competitionCacheControl, listCacheControl } from './cache-control.ts';

const path = '/api/events/{id}/competitions';

const oneCompetition = { params: competitionParameters, output: competition } as const;

const reading: readonly Route<EventsDeps>[] = [
	route({
		method: 'get',
		path,
		operationId: 'listCompetitions',
		summary: 'List the competitions of an event',
		access: 'public',
		tokenOptional: true,
		params: idParameters,
		query: competitionQuery,
		output: competitionPage,
		message: 'Competitions',
		cacheControl: listCacheControl,
		mayLag: true,
		handler: async ({ params, query, principal }, { db }) => {
			await getEventRow(db, params.id, visibleTo(principal));
			return listCompetitions(db, params.id, query);
		},
	}),
	route({
		...oneCompetition,
		method: 'get',
		path: `${path}/{competitionId}`,
		operationId: 'getCompetition',
		summary: 'Get a competition of an event',
		access: 'public',
		tokenOptional: true,
		message: 'Competition',
		etag: 'version',
		cacheControl: competitionCacheControl,
		handler: async ({ params, principal }, { db }) => {
			await getEventRow(db, params.id, visibleTo(principal));
			return getCompetition(db, params);
		},
	}),
];

const creating = route({
	method: 'post',
	path,
	operationId: 'createCompetition',
	summary: 'Add a competition to an event',
	access: managersOnly,
	params: idParameters,
	body: competitionBody,
	idempotent: true,
	output: competition,
	status: 201,
	message: 'Competition created',
	location: ({ id, eventId }) => `${path.replace('{id}', eventId)}/${id}`,
	etag: 'version',
	errors: managerErrors('COMPETITION_NUMBER_TAKEN', 'HORSE_MIN_AGE_BELOW_RULES', 'EVENT_CLOSED', 'CONFLICT'),
	handler: (request, { db, directory }) => {
		const { params, body, now } = request;
		return once(db, request, {
			operationId: 'createCompetition',
			input: { params, body },
			check: async () => {
				const read = await getManagedEvent(db, request);
				requireNotOver(read, now);
				const references = await competitionReferences(directory, body, read, undefined, request);
				requireFitting(body, read, references.errors);
				return { read, draft: competitionDraft(body, references.arenaName) };
			},
			effect: async (transaction, { read, draft }) => {
				requireUnmoved(await lockManagedEvent(transaction, request), read, request);
				return insertCompetition(transaction, params.id, draft);
			},
		});
	},
});

const replacing = route({
	...oneCompetition,
	method: 'put',
	path: `${path}/{competitionId}`,
	operationId: 'replaceCompetition',
	summary: 'Replace a competition of an event',
	description:
		'A field that is left out gets its default. Once the event is published date and start fee change only by the ' +
		'federation office. Entries stay; added places go to the waiting list.',
	access: managersOnly,
	body: competitionBody,
	serverOwned: true,
	message: 'Competition updated',
	etag: 'version',
	precondition: true,
	errors: managerErrors(
		'COMPETITION_NUMBER_TAKEN',
		'HORSE_MIN_AGE_BELOW_RULES',
		'EVENT_CLOSED',
		'COMPETITION_CLOSED',
		'CONFLICT',
	),
	handler: async (request, { db, directory }) => {
		const { params, body, principal, now } = request;
		const read = await getManagedEvent(db, request);
		requireNotOver(read, now);
		const before = await getCompetition(db, params);
		const { arenaName, errors } = await competitionReferences(directory, body, read, before, request);
		requireFitting(body, read, errors);
		const blocked = await blockedEntries(db, read, directory, request);
		return inTransaction(db, async (transaction) => {
			const event = await lockManagedEvent(transaction, request);
			requireUnmoved(event, read, request);
			const stored = await getCompetition(transaction, params);
			requireVersion(request.ifMatch, stored.version);
			refuseServerOwnedChanges(request.serverOwned, stored);
			requireCompetitionChangeable(event, stored, body, principal);
			const updated = await updateCompetition(transaction, stored.id, competitionDraft(body, arenaName));
			await promoteWaiting(transaction, event, now, blocked);
			return updated;
		});
	},
});

const deleting = route({
	...oneCompetition,
	method: 'delete',
	path: `${path}/{competitionId}`,
	operationId: 'deleteCompetition',
	summary: 'Delete a competition of an event',
	description: 'A competition with entries is cancelled instead.',
	access: managersOnly,
	message: 'Competition deleted',
	precondition: true,
	errors: managerErrors('COMPETITION_HAS_ENTRIES', 'EVENT_CLOSED'),
	handler: (request, { db }) =>
		inTransaction(db, async (transaction) => {
			requireNotOver(await lockManagedEvent(transaction, request), request.now);
			const stored = await getCompetition(transaction, request.params);
			requireVersion(request.ifMatch, stored.version);
			if (await hasStarts(transaction, stored.id)) throw eventsError('COMPETITION_HAS_ENTRIES');
			await deleteCompetition(transaction, stored.id);
			return stored;
		}),
});

// The references were checked for the event as it was read; it may have changed since.
function requireUnmoved(
	event: EventRow,
	read: EventRow,
	{ body, now }: { readonly body: CompetitionBody; readonly now: Date },
): void {
	requireNotOver(event, now);
	requireFitting(body, event);
	if (event.venueId !== read.venueId || event.ruleset !== read.ruleset) throw apiError('CONFLICT');
}

function requireCompetitionChangeable(
	event: EventRow,
	stored: CompetitionRow,
	body: CompetitionBody,
	principal: Principal,
): void {
	if (stored.status === 'CANCELLED') throw eventsError('COMPETITION_CLOSED');
	if (event.status !== 'PUBLISHED') return;
	const announced = ['date', 'startFee'] as const;
	requireOfficerFor(
		announced.filter((field) => stored[field] !== body[field]),
		principal,
	);
}

export const competitionRoutes: readonly Route<EventsDeps>[] = [...reading, creating, replacing, deleting];
