import { apiError, commonErrors } from '@paddock/contract';
import { inTransaction, once } from '@paddock/database';
import type { Principal } from '@paddock/identity';
import { idParameters, type Route, refuseServerOwnedChanges, requireVersion } from '@paddock/service';
import { competitionReferences, requireFitting } from '../competition-rules.ts';
import type { CompetitionRow, EventRow, EventsQueryable } from '../database-schema.ts';
import { type EventsDeps, route } from '../deps.ts';
import { blockedEntries, promoteWaiting } from '../entries/promote-waiting.ts';
import { eventsError, managerErrors } from '../errors.ts';
import { managersOnly, requireManager } from '../event-access.ts';
import { changedFields, requireNotOver, requireOfficerFor } from '../event-changes.ts';
import {
	deleteCompetition,
	getCompetitionRow,
	hasStarts,
	insertCompetition,
	listCompetitions,
	toCompetition,
	updateCompetition,
} from '../repository/competitions.ts';
import { getEventRow, lockEvent } from '../repository/events.ts';
import {
	type CompetitionBody,
	competition,
	competitionBody,
	competitionPage,
	competitionParameters,
	competitionQuery,
} from '../schemas/competition.ts';
import { competitionCacheControl, listCacheControl } from './cache-control.ts';

const tag = 'events';
const path = '/api/events/{id}/competitions';

const reading: readonly Route<EventsDeps>[] = [
	route({
		method: 'get',
		path,
		operationId: 'listCompetitions',
		tag,
		summary: 'List the competitions of an event',
		access: 'public',
		tokenOptional: true,
		params: idParameters,
		query: competitionQuery,
		output: competitionPage,
		message: 'Competitions',
		cacheControl: listCacheControl,
		handler: async ({ params, query, principal }, { db }) => {
			await getEventRow(db, params.id, principal);
			return listCompetitions(db, params.id, query);
		},
	}),
	route({
		method: 'get',
		path: `${path}/{competitionId}`,
		operationId: 'getCompetition',
		tag,
		summary: 'Get a competition of an event',
		access: 'public',
		tokenOptional: true,
		params: competitionParameters,
		output: competition,
		message: 'Competition',
		etag: 'version',
		cacheControl: competitionCacheControl,
		handler: async ({ params, principal }, { db }) => {
			await getEventRow(db, params.id, principal);
			return toCompetition(await getCompetitionRow(db, params));
		},
	}),
];

const creating = route({
	method: 'post',
	path,
	operationId: 'createCompetition',
	tag,
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
	errors: {
		...managerErrors('COMPETITION_NUMBER_TAKEN', 'HORSE_MIN_AGE_BELOW_RULES', 'EVENT_CLOSED'),
		CONFLICT: commonErrors.CONFLICT,
	},
	handler: (request, { db, masterdata }) => {
		const { params, body, principal, idempotencyKey: key, now } = request;
		const input = { params, body };
		return once(
			db,
			{ key, userId: principal.userId, operationId: 'createCompetition', input, now },
			{
				check: async () => {
					const read = await getManagedEvent(db, request);
					const references = await competitionReferences(masterdata, body, read, undefined, request);
					requireFitting(body, read, references.errors);
					return { read, arenaName: references.arenaName };
				},
				effect: async (transaction, { read, arenaName }) => {
					const event = await lockEvent(transaction, params.id, principal);
					requireUnmoved(event, read, request);
					return insertCompetition(transaction, params.id, { body, arenaName });
				},
			},
		);
	},
});

const replacing = route({
	method: 'put',
	path: `${path}/{competitionId}`,
	operationId: 'replaceCompetition',
	tag,
	summary: 'Replace a competition of an event',
	description:
		'A field that is left out gets its default. Once the event is published date and start fee change only by the ' +
		'federation office. Entries stay; added places go to the waiting list.',
	access: managersOnly,
	params: competitionParameters,
	body: competitionBody,
	serverOwned: ['id', 'eventId', 'arenaName', 'status', 'version'],
	output: competition,
	message: 'Competition updated',
	etag: 'version',
	precondition: true,
	errors: {
		...managerErrors(
			'COMPETITION_NUMBER_TAKEN',
			'HORSE_MIN_AGE_BELOW_RULES',
			'EVENT_CLOSED',
			'COMPETITION_CLOSED',
		),
		CONFLICT: commonErrors.CONFLICT,
	},
	handler: async (request, { db, directory, masterdata }) => {
		const { params, body, principal, now } = request;
		const read = await getManagedEvent(db, request);
		const before = await getCompetitionRow(db, params);
		const { arenaName, errors } = await competitionReferences(masterdata, body, read, before, request);
		requireFitting(body, read, errors);
		const blocked = await blockedEntries(db, read, directory, request);
		return inTransaction(db, async (transaction) => {
			const event = await lockEvent(transaction, params.id, principal);
			requireUnmoved(event, read, request);
			const stored = await getCompetitionRow(transaction, params);
			requireVersion(request.ifMatch, stored.version);
			refuseServerOwnedChanges(request.serverOwned, toCompetition(stored));
			requireCompetitionChangeable(event, stored, body, principal);
			const updated = await updateCompetition(transaction, params, { body, arenaName });
			await promoteWaiting(transaction, event, now, blocked);
			return updated;
		});
	},
});

const deleting = route({
	method: 'delete',
	path: `${path}/{competitionId}`,
	operationId: 'deleteCompetition',
	tag,
	summary: 'Delete a competition of an event',
	description: 'A competition with entries is cancelled instead.',
	access: managersOnly,
	params: competitionParameters,
	output: competition,
	message: 'Competition deleted',
	precondition: true,
	errors: managerErrors('COMPETITION_HAS_ENTRIES', 'EVENT_CLOSED'),
	handler: ({ params, principal, ifMatch, now }, { db }) =>
		inTransaction(db, async (transaction) => {
			const event = await lockEvent(transaction, params.id, principal);
			requireManager(principal, event.organiser_club_id);
			requireNotOver(event, now);
			const stored = await getCompetitionRow(transaction, params);
			requireVersion(ifMatch, stored.version);
			if (await hasStarts(transaction, stored.id)) throw eventsError('COMPETITION_HAS_ENTRIES');
			await deleteCompetition(transaction, stored.id);
			return toCompetition(stored);
		}),
});

interface ChangeRequest {
	/** `id` is the event's. */
	readonly params: { readonly id: string };
	readonly principal: Principal;
	readonly body: CompetitionBody;
	readonly now: Date;
}

/** @throws ApiError NOT_FOUND, OUT_OF_SCOPE, EVENT_CLOSED */
async function getManagedEvent(
	db: EventsQueryable,
	{ params, principal, now }: ChangeRequest,
): Promise<EventRow> {
	const event = await getEventRow(db, params.id, principal);
	requireManager(principal, event.organiser_club_id);
	requireNotOver(event, now);
	return event;
}

// The references were checked for the event as it was read; it may have changed since.
function requireUnmoved(event: EventRow, read: EventRow, { principal, body, now }: ChangeRequest): void {
	requireManager(principal, event.organiser_club_id);
	requireNotOver(event, now);
	requireFitting(body, event);
	if (event.venue_id !== read.venue_id || event.ruleset !== read.ruleset) throw apiError('CONFLICT');
}

function requireCompetitionChangeable(
	event: EventRow,
	stored: CompetitionRow,
	body: CompetitionBody,
	principal: Principal,
): void {
	if (stored.status === 'CANCELLED') throw eventsError('COMPETITION_CLOSED');
	if (event.status !== 'PUBLISHED') return;
	const announced = { date: stored.date, startFee: stored.start_fee };
	requireOfficerFor(changedFields(announced, { date: body.date, startFee: body.startFee }), principal);
}

export const competitionRoutes: readonly Route<EventsDeps>[] = [...reading, creating, replacing, deleting];
