import type { Route } from '@paddock/service';
import { competitionCacheControl, type EventsDeps, listCacheControl, route, update } from '../deps.ts';
import { managerErrors } from '../errors.ts';
import { eventReaders, managersOnly } from '../events/access.ts';
import { getEventRow } from '../events/store.ts';
import {
	cancelCompetition,
	changeCompetition,
	createCompetition,
	deleteCompetition,
	renumber,
} from './change-competition.ts';
import {
	competition,
	competitionBody,
	competitionNumbers,
	competitionPage,
	competitionParameters,
	competitionQuery,
	renumberedCompetitions,
} from './schemas.ts';
import { getCompetition, listCompetitions } from './store.ts';

const path = '/api/events/{id}/competitions';

const ruleErrors = [
	'COMPETITION_NOT_SUPPORTED',
	'CLASS_NOT_IN_CATEGORY',
	'PRIZE_NOT_ALLOWED',
	'START_FEE_TOO_HIGH',
	'HORSE_MIN_AGE_BELOW_RULES',
	'HORSE_MAX_AGE_ABOVE_RULES',
] as const;

const oneCompetition = { params: competitionParameters, output: competition } as const;

export const competitionRoutes: readonly Route<EventsDeps>[] = [
	route({
		method: 'get',
		path,
		operationId: 'listCompetitions',
		readers: eventReaders,
		summary: 'List the competitions of an event',
		access: 'public',
		tokenOptional: true,
		query: competitionQuery,
		output: competitionPage,
		message: 'Competitions',
		cacheControl: listCacheControl,
		mayLag: true,
		handler: async ({ params, query, viewer }, { db }) => {
			await getEventRow(db, params.id, viewer.events);
			return listCompetitions(db, params.id, query);
		},
	}),
	route({
		...oneCompetition,
		method: 'get',
		path: `${path}/{competitionId}`,
		operationId: 'getCompetition',
		readers: eventReaders,
		summary: 'Get a competition of an event',
		access: 'public',
		tokenOptional: true,
		message: 'Competition',
		etag: 'version',
		cacheControl: competitionCacheControl,
		handler: async ({ params, viewer }, { db }) => {
			await getEventRow(db, params.id, viewer.events);
			return getCompetition(db, params);
		},
	}),
	route({
		method: 'post',
		path,
		operationId: 'createCompetition',
		writers: 'activeMembers',
		summary: 'Add a competition to an event',
		description: 'After publication only for the federation’s office.',
		access: managersOnly,
		body: competitionBody,
		idempotent: true,
		output: competition,
		status: 201,
		message: 'Competition created',
		location: ({ id, eventId }) => `${path.replace('{id}', eventId)}/${id}`,
		etag: 'version',
		errors: managerErrors(
			'COMPETITION_NUMBER_TAKEN',
			...ruleErrors,
			'EVENT_CLOSED',
			'EVENT_SUBMITTED',
			'CONFLICT',
		),
		handler: createCompetition,
	}),
	...update({
		...oneCompetition,
		path: `${path}/{competitionId}`,
		operationId: 'replaceCompetition',
		writers: 'activeMembers',
		summary: 'Change a competition of an event',
		description:
			'After publication only the federation’s office can change date, discipline, level and start fee. ' +
			'Entries keep their places and are judged again: `entriesNeedingAttention` has those that no longer fit. With another level, `heightCm` and `task` are null unless the body names them. A new date marks them with DATE_CHANGED and lets them withdraw free of charge. Additional places go to the waiting list.',
		access: managersOnly,
		body: competitionBody,
		message: 'Competition updated',
		etag: 'version',
		errors: managerErrors(
			'COMPETITION_NUMBER_TAKEN',
			...ruleErrors,
			'EVENT_CLOSED',
			'EVENT_SUBMITTED',
			'COMPETITION_CLOSED',
			'CONFLICT',
		),
		handler: changeCompetition,
	}),
	route({
		method: 'post',
		path: `${path}/renumber`,
		operationId: 'renumberCompetitions',
		writers: 'activeMembers',
		summary: 'Give competitions new numbers',
		description: 'All at once: numbers can be swapped or moved up, which single changes cannot do.',
		access: managersOnly,
		body: competitionNumbers,
		output: renumberedCompetitions,
		message: 'Competitions renumbered',
		errors: managerErrors('COMPETITION_NUMBER_TAKEN', 'EVENT_CLOSED', 'EVENT_SUBMITTED'),
		handler: renumber,
	}),
	route({
		...oneCompetition,
		method: 'delete',
		path: `${path}/{competitionId}`,
		operationId: 'deleteCompetition',
		writers: 'activeMembers',
		summary: 'Delete a competition of an event',
		description: 'A competition with entries is cancelled instead.',
		access: managersOnly,
		message: 'Competition deleted',
		precondition: true,
		errors: managerErrors('COMPETITION_HAS_ENTRIES', 'EVENT_CLOSED', 'EVENT_SUBMITTED'),
		handler: deleteCompetition,
	}),
	route({
		...oneCompetition,
		method: 'post',
		path: `${path}/{competitionId}/cancel`,
		operationId: 'cancelCompetition',
		writers: 'activeMembers',
		summary: 'Cancel a competition and every start in it',
		description:
			'The fees of its starts are no longer due (OeTO §25.4). An entry without another start is cancelled as well; if it had a place it owes the entry fee, until it is withdrawn before the entry deadline or the event is cancelled.',
		access: managersOnly,
		message: 'Competition cancelled',
		etag: 'version',
		precondition: true,
		errors: managerErrors('ILLEGAL_STATE_TRANSITION', 'EVENT_CLOSED', 'EVENT_SUBMITTED'),
		handler: cancelCompetition,
	}),
];
