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
	deleteVenue,
	getVenue,
	insertVenue,
	listVenues,
	lockVenue,
	requireReferences,
	updateVenue,
} from '../repository/venues.ts';
import { venue, venueBody, venuePage, venueQuery } from '../schemas/venue.ts';
import { listCacheControl, recordCacheControl } from './cache-control.ts';

const tag = 'masterdata';
const path = '/api/masterdata/venues';

const reading: readonly Route<MasterdataDeps>[] = [
	route({
		method: 'get',
		path,
		operationId: 'listVenues',
		tag,
		summary: 'List venues',
		access: 'public',
		query: venueQuery,
		output: venuePage,
		message: 'Venues',
		etag: 'content',
		cacheControl: listCacheControl,
		handler: ({ query }, { db }) => listVenues(db, query),
	}),
	route({
		method: 'get',
		path: `${path}/{id}`,
		operationId: 'getVenue',
		tag,
		summary: 'Get a venue',
		access: 'public',
		params: idParameters,
		output: venue,
		message: 'Venue',
		etag: 'version',
		cacheControl: recordCacheControl,
		handler: ({ params }, { db }) => getVenue(db, params.id),
	}),
];

const writing: readonly Route<MasterdataDeps>[] = [
	route({
		method: 'post',
		path,
		operationId: 'createVenue',
		tag,
		summary: 'Add a venue',
		access: officersOnly,
		body: venueBody,
		idempotent: true,
		output: venue,
		status: 201,
		message: 'Venue created',
		location: ({ id }) => `${path}/${id}`,
		etag: 'version',
		handler: (request, deps) =>
			createOnce(deps, 'createVenue', request, async (transaction) => {
				await requireReferences(transaction, request.body);
				return insertVenue(transaction, request.body);
			}),
	}),
	route({
		method: 'put',
		path: `${path}/{id}`,
		operationId: 'replaceVenue',
		tag,
		summary: 'Replace a venue',
		description: 'A field that is left out gets its default.',
		access: officersOnly,
		params: idParameters,
		body: venueBody,
		serverOwned: ['id', 'version'],
		output: venue,
		message: 'Venue updated',
		etag: 'version',
		precondition: true,
		handler: ({ params, body, ifMatch, serverOwned }, { db }) =>
			inTransaction(db, async (transaction) => {
				const stored = await lockVenue(transaction, params.id);
				requireVersion(ifMatch, stored.version);
				refuseServerOwnedChanges(serverOwned, stored);
				await requireReferences(transaction, body);
				return updateVenue(transaction, params.id, body);
			}),
	}),
	route({
		method: 'delete',
		path: `${path}/{id}`,
		operationId: 'deleteVenue',
		tag,
		summary: 'Delete a venue with its arenas',
		description: 'A venue of an event, drafts included, is taken out of use by `isActive: false`.',
		access: officersOnly,
		params: idParameters,
		output: venue,
		message: 'Venue deleted',
		precondition: true,
		errors: errorsNamed('VENUE_IN_USE'),
		handler: async (request, deps) => {
			const { params, ifMatch } = request;
			const seen = await getVenue(deps.db, params.id);
			requireVersion(ifMatch, seen.version);
			await requireUnusedElsewhere(
				deps,
				{ type: 'VENUE', id: seen.id, codes: [] },
				{ code: 'VENUE_IN_USE' },
				request,
			);
			return inTransaction(deps.db, async (transaction) => {
				const stored = await lockVenue(transaction, params.id);
				requireVersion(ifMatch, stored.version);
				await deleteVenue(transaction, params.id);
				return stored;
			});
		},
	}),
];

export const venueRoutes: readonly Route<MasterdataDeps>[] = [...reading, ...writing];
