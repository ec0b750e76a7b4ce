import { inTransaction } from '@paddock/database';
import {
	idParameters,
	officersOnly,
	type Route,
	refuseServerOwnedChanges,
	requireVersion,
} from '@paddock/service';
import { createOnce } from '../create-once.ts';
import { type MasterdataDeps, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { requireUnusedElsewhere } from '../references-elsewhere.ts';
import {
	deleteArena,
	getArena,
	insertArena,
	listArenas,
	lockArena,
	updateArena,
} from '../repository/arenas.ts';
import { arena, arenaBody, arenaPage, arenaParameters, arenaQuery } from '../schemas/arena.ts';
import { listCacheControl, recordCacheControl } from './cache-control.ts';

const tag = 'masterdata';
const path = '/api/masterdata/venues/{id}/arenas';
const errors = errorsNamed('ARENA_NAME_TAKEN');

const reading: readonly Route<MasterdataDeps>[] = [
	route({
		method: 'get',
		path,
		operationId: 'listArenas',
		tag,
		summary: 'List the arenas of a venue',
		access: 'public',
		params: idParameters,
		query: arenaQuery,
		output: arenaPage,
		message: 'Arenas',
		etag: 'content',
		cacheControl: listCacheControl,
		handler: ({ params, query }, { db }) => listArenas(db, params.id, query),
	}),
	route({
		method: 'get',
		path: `${path}/{arenaId}`,
		operationId: 'getArena',
		tag,
		summary: 'Get an arena of a venue',
		access: 'public',
		params: arenaParameters,
		output: arena,
		message: 'Arena',
		etag: 'version',
		cacheControl: recordCacheControl,
		handler: ({ params }, { db }) => getArena(db, params),
	}),
];

const writing: readonly Route<MasterdataDeps>[] = [
	route({
		method: 'post',
		path,
		operationId: 'createArena',
		tag,
		summary: 'Add an arena of a venue',
		access: officersOnly,
		params: idParameters,
		body: arenaBody,
		idempotent: true,
		output: arena,
		status: 201,
		message: 'Arena created',
		location: ({ id, venueId }) => `${path.replace('{id}', venueId)}/${id}`,
		etag: 'version',
		errors,
		handler: (request, deps) =>
			createOnce(deps, 'createArena', request, (transaction) =>
				insertArena(transaction, request.params.id, request.body),
			),
	}),
	route({
		method: 'put',
		path: `${path}/{arenaId}`,
		operationId: 'replaceArena',
		tag,
		summary: 'Replace an arena of a venue',
		description: 'A field that is left out gets its default.',
		access: officersOnly,
		params: arenaParameters,
		body: arenaBody,
		serverOwned: ['id', 'venueId', 'version'],
		output: arena,
		message: 'Arena updated',
		etag: 'version',
		precondition: true,
		errors,
		handler: ({ params, body, ifMatch, serverOwned }, { db }) =>
			inTransaction(db, async (transaction) => {
				const stored = await lockArena(transaction, params);
				requireVersion(ifMatch, stored.version);
				refuseServerOwnedChanges(serverOwned, stored);
				return updateArena(transaction, params, body);
			}),
	}),
	route({
		method: 'delete',
		path: `${path}/{arenaId}`,
		operationId: 'deleteArena',
		tag,
		summary: 'Delete an arena of a venue',
		description: 'An arena of a competition is taken out of use by `isActive: false`.',
		access: officersOnly,
		params: arenaParameters,
		output: arena,
		message: 'Arena deleted',
		precondition: true,
		errors: errorsNamed('ARENA_IN_USE'),
		handler: async (request, deps) => {
			const { params, ifMatch } = request;
			const seen = await getArena(deps.db, params);
			requireVersion(ifMatch, seen.version);
			await requireUnusedElsewhere(
				deps,
				{ type: 'ARENA', id: seen.id, codes: [] },
				{ code: 'ARENA_IN_USE' },
				request,
			);
			return inTransaction(deps.db, async (transaction) => {
				const stored = await lockArena(transaction, params);
				requireVersion(ifMatch, stored.version);
				await deleteArena(transaction, params.arenaId);
				return stored;
			});
		},
	}),
];

export const arenaRoutes: readonly Route<MasterdataDeps>[] = [...reading, ...writing];
