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
import { lostCodes, requireUnusedElsewhere, stateReference } from '../references-elsewhere.ts';
import {
	deleteState,
	getState,
	insertState,
	listStates,
	lockState,
	updateState,
} from '../repository/states.ts';
import { state, stateBody, statePage, stateQuery } from '../schemas/state.ts';
import { listCacheControl, recordCacheControl } from './cache-control.ts';

const tag = 'masterdata';
const path = '/api/masterdata/states';
const taken = ['STATE_CODE_TAKEN', 'FEDERATION_CODE_TAKEN'] as const;

const codeInUse = {
	code: 'STATE_IN_USE',
	message: 'Other records refer to the state by the code, so it cannot change.',
} as const;

const reading: readonly Route<MasterdataDeps>[] = [
	route({
		method: 'get',
		path,
		operationId: 'listStates',
		tag,
		summary: 'List states',
		access: 'public',
		query: stateQuery,
		output: statePage,
		message: 'States',
		etag: 'content',
		cacheControl: listCacheControl,
		handler: ({ query }, { db }) => listStates(db, query),
	}),
	route({
		method: 'get',
		path: `${path}/{id}`,
		operationId: 'getState',
		tag,
		summary: 'Get a state',
		access: 'public',
		params: idParameters,
		output: state,
		message: 'State',
		etag: 'version',
		cacheControl: recordCacheControl,
		handler: ({ params }, { db }) => getState(db, params.id),
	}),
];

const writing: readonly Route<MasterdataDeps>[] = [
	route({
		method: 'post',
		path,
		operationId: 'createState',
		tag,
		summary: 'Add a state',
		access: officersOnly,
		body: stateBody,
		idempotent: true,
		output: state,
		status: 201,
		message: 'State created',
		location: ({ id }) => `${path}/${id}`,
		etag: 'version',
		errors: errorsNamed(...taken),
		handler: (request, deps) =>
			createOnce(deps, 'createState', request, (transaction) => insertState(transaction, request.body)),
	}),
	route({
		method: 'put',
		path: `${path}/{id}`,
		operationId: 'replaceState',
		tag,
		summary: 'Replace a state',
		description: 'A field that is left out gets its default. The ISO 3166-2 code of a state in use stays.',
		access: officersOnly,
		params: idParameters,
		body: stateBody,
		serverOwned: ['id', 'version'],
		output: state,
		message: 'State updated',
		etag: 'version',
		precondition: true,
		errors: errorsNamed(...taken, 'STATE_IN_USE'),
		handler: async (request, deps) => {
			const { params, body, ifMatch, serverOwned } = request;
			const seen = await getState(deps.db, params.id);
			requireVersion(ifMatch, seen.version);
			const lost = lostCodes(stateReference(seen), stateReference({ ...seen, ...body }));
			if (lost !== undefined) await requireUnusedElsewhere(deps, lost, codeInUse, request);
			return inTransaction(deps.db, async (transaction) => {
				const stored = await lockState(transaction, params.id);
				requireVersion(ifMatch, stored.version);
				refuseServerOwnedChanges(serverOwned, stored);
				return updateState(transaction, params.id, body);
			});
		},
	}),
	route({
		method: 'delete',
		path: `${path}/{id}`,
		operationId: 'deleteState',
		tag,
		summary: 'Delete a state that nothing refers to',
		description: 'A state in use is taken out of use by `isActive: false`.',
		access: officersOnly,
		params: idParameters,
		output: state,
		message: 'State deleted',
		precondition: true,
		errors: errorsNamed('STATE_IN_USE'),
		handler: async (request, deps) => {
			const { params, ifMatch } = request;
			const seen = await getState(deps.db, params.id);
			requireVersion(ifMatch, seen.version);
			await requireUnusedElsewhere(deps, stateReference(seen), { code: 'STATE_IN_USE' }, request);
			return inTransaction(deps.db, async (transaction) => {
				const stored = await lockState(transaction, params.id);
				requireVersion(ifMatch, stored.version);
				await deleteState(transaction, params.id);
				return stored;
			});
		},
	}),
];

export const stateRoutes: readonly Route<MasterdataDeps>[] = [...reading, ...writing];
