import { fail } from '@paddock/contract';
import { inTransaction, once } from '@paddock/database';
import {
	idParameters,
	officersOnly,
	type Route,
	refuseServerOwnedChanges,
	requireVersion,
} from '@paddock/service';
import { type MembersDeps, route } from '../deps.ts';
import { errorsNamed, failMembers } from '../errors.ts';
import { callerOf } from '../operations/caller.ts';
import { clubReferenceErrors } from '../operations/references.ts';
import type { Asking } from '../peers/place-codes.ts';
import { deleteClub, getClub, insertClub, listClubs, lockClub, updateClub } from '../repository/clubs.ts';
import { type Club, type ClubBody, club, clubBody, clubPage, clubQuery } from '../schemas/club.ts';

const tag = 'members';
const path = '/api/members/clubs';
const cacheControl = 'private, no-cache';

/** @throws ApiError VALIDATION_ERROR, or CLUB_NUMBER_TAKEN for the number that the federation gives itself. */
async function checkClub(deps: MembersDeps, body: ClubBody, stored: Club | undefined, asking: Asking) {
	const errors = await clubReferenceErrors(deps, body, stored, asking);
	if (errors.length > 0) throw fail('VALIDATION_ERROR', { errors });
	if (body.clubNumber === deps.federationClubNumber)
		throw failMembers('CLUB_NUMBER_TAKEN', {
			message: 'This number is the federation’s own, for members without a club.',
		});
}

const reading: readonly Route<MembersDeps>[] = [
	route({
		method: 'get',
		path,
		operationId: 'listClubs',
		tag,
		summary: 'List clubs',
		access: 'signedIn',
		query: clubQuery,
		output: clubPage,
		message: 'Clubs',
		etag: 'content',
		cacheControl,
		handler: ({ query }, { db }) => listClubs(db, query),
	}),
	route({
		method: 'get',
		path: `${path}/{id}`,
		operationId: 'getClub',
		tag,
		summary: 'Get a club',
		access: 'signedIn',
		params: idParameters,
		output: club,
		message: 'Club',
		etag: 'version',
		cacheControl,
		handler: ({ params }, { db }) => getClub(db, params.id),
	}),
];

const writing: readonly Route<MembersDeps>[] = [
	route({
		method: 'post',
		path,
		operationId: 'createClub',
		tag,
		summary: 'Add a club',
		access: officersOnly,
		body: clubBody,
		idempotent: true,
		output: club,
		status: 201,
		message: 'Club created',
		location: ({ id }) => `${path}/${id}`,
		etag: 'version',
		errors: errorsNamed('CLUB_NUMBER_TAKEN'),
		handler: async (request, deps) => {
			const { body, idempotencyKey: key, now } = request;
			const { asking, userId } = await callerOf(deps.db, request);
			return once(
				deps.db,
				{ key, userId, operationId: 'createClub', input: { body }, now },
				{
					check: () => checkClub(deps, body, undefined, asking),
					effect: (transaction) => insertClub(transaction, body),
				},
			);
		},
	}),
	route({
		method: 'put',
		path: `${path}/{id}`,
		operationId: 'replaceClub',
		tag,
		summary: 'Replace a club',
		description: 'A field that is left out gets its default. Membership numbers that were given stay.',
		access: officersOnly,
		params: idParameters,
		body: clubBody,
		serverOwned: ['id', 'version'],
		output: club,
		message: 'Club updated',
		etag: 'version',
		precondition: true,
		errors: errorsNamed('CLUB_NUMBER_TAKEN'),
		handler: async (request, deps) => {
			const { params, body, ifMatch, serverOwned } = request;
			const seen = await getClub(deps.db, params.id);
			requireVersion(ifMatch, seen.version);
			await checkClub(deps, body, seen, (await callerOf(deps.db, request)).asking);
			return inTransaction(deps.db, async (transaction) => {
				const stored = await lockClub(transaction, params.id);
				requireVersion(ifMatch, stored.version);
				refuseServerOwnedChanges(serverOwned, stored);
				return updateClub(transaction, params.id, body);
			});
		},
	}),
	route({
		method: 'delete',
		path: `${path}/{id}`,
		operationId: 'deleteClub',
		tag,
		summary: 'Delete a club that nothing refers to',
		description:
			'References are members, deleted ones too, horses, events, drafts included, entries, and roles of accounts. A club in use is taken out of use by `status: INACTIVE`.',
		access: officersOnly,
		params: idParameters,
		output: club,
		message: 'Club deleted',
		precondition: true,
		errors: errorsNamed('CLUB_IN_USE'),
		handler: async (request, deps) => {
			const { params, ifMatch, requestId, signal, traceparent } = request;
			const seen = await getClub(deps.db, params.id);
			requireVersion(ifMatch, seen.version);
			const record = { type: 'CLUB', id: seen.id, codes: [] } as const;
			const references = await deps.references.count(record, { requestId, signal, traceparent });
			if (references > 0) throw failMembers('CLUB_IN_USE', { context: { references } });
			return inTransaction(deps.db, async (transaction) => {
				const stored = await lockClub(transaction, params.id);
				requireVersion(ifMatch, stored.version);
				await deleteClub(transaction, params.id);
				return stored;
			});
		},
	}),
];

export const clubRoutes: readonly Route<MembersDeps>[] = [...reading, ...writing];
