import { inTransaction } from '@paddock/database';
import type { Principal } from '@paddock/identity';
import {
	administratorsOnly,
	idParameters,
	pageRequest,
	pageSchema,
	type Route,
	type RouteRequest,
	refuseServerOwnedChanges,
	requireVersion,
} from '@paddock/service';
import { type AuthDeps, route } from '../auth-deps.ts';
import { deleteDevicesOf } from '../devices/device-repository.ts';
import { authErrors } from '../errors.ts';
import {
	accountTag,
	releaseSchema,
	rolesBody,
	statusBody,
	type UserDto,
	userDto,
	userQuery,
	userSchema,
} from '../schemas/user.ts';
import { requireAdministrator, type SessionDeps } from '../sessions/require-session.ts';
import { endSessionsOf } from '../sessions/session-repository.ts';
import { releaseAccount } from '../sign-in/release-account.ts';
import { keepAdministrator, lockAdministrators } from '../users/administrators.ts';
import type { User } from '../users/user.ts';
import { listUsers } from '../users/user-list.ts';
import { getUser, lockUser, type UserChanges, updateUser } from '../users/user-repository.ts';

const listAll = route({
	method: 'get',
	path: '/auth/users',
	operationId: 'listUsers',
	tag: 'authentication',
	summary: 'Find accounts',
	access: administratorsOnly,
	query: userQuery,
	output: pageSchema(userSchema).meta({ id: 'UserPage' }),
	message: 'Users',
	cacheControl: 'no-store',
	handler: async ({ principal, query }, deps) => {
		const page = pageRequest(query);
		await requireAdministrator(deps, principal);
		const filter = { q: query.q, role: query.role, status: query.status };
		const { items, pagination } = await listUsers(deps.db, filter, query.sort, page);
		return { items: items.map(userDto), pagination };
	},
});

const getOne = route({
	method: 'get',
	path: '/auth/users/{id}',
	operationId: 'getUser',
	tag: 'authentication',
	summary: 'Read an account',
	access: administratorsOnly,
	params: idParameters,
	output: userSchema,
	message: 'User',
	etag: accountTag,
	cacheControl: 'private, no-cache',
	handler: async ({ principal, params }, deps) => {
		await requireAdministrator(deps, principal);
		return userDto(await getUser(deps.db, params.id));
	},
});

const putRoles = route({
	method: 'put',
	path: '/auth/users/{id}/roles',
	operationId: 'setUserRoles',
	tag: 'authentication',
	summary: 'Replace the roles of an account',
	description: 'Access tokens show the new roles from the next refresh on.',
	access: administratorsOnly,
	params: idParameters,
	body: rolesBody,
	serverOwned: fieldsBeside(['roles', 'roleScopes', 'memberId']),
	output: userSchema,
	message: 'Roles changed',
	etag: accountTag,
	precondition: true,
	errors: { LAST_ADMINISTRATOR: authErrors.LAST_ADMINISTRATOR },
	handler: async (request, deps) => {
		const { roles, memberId } = request.body;
		const changes = {
			roles,
			roleScopes: definedScopes(request.body.roleScopes),
			...(memberId === undefined ? {} : { memberId }),
		};
		const user = await inTransaction(deps.db, (db) => changeUser({ ...deps, db }, request, changes));
		request.log.info('roles were changed', { userId: user.id, roles, by: request.principal.userId });
		return userDto(user);
	},
});

const putStatus = route({
	method: 'put',
	path: '/auth/users/{id}/status',
	operationId: 'setUserStatus',
	tag: 'authentication',
	summary: 'Lock, suspend, close or reopen an account',
	description: 'Any status but ACTIVE ends the sessions of the account and forgets its known devices.',
	access: administratorsOnly,
	params: idParameters,
	body: statusBody,
	serverOwned: fieldsBeside(['status']),
	output: userSchema,
	message: 'Status changed',
	etag: accountTag,
	precondition: true,
	errors: { LAST_ADMINISTRATOR: authErrors.LAST_ADMINISTRATOR },
	handler: async (request, deps) => {
		const user = await inTransaction(deps.db, async (db) => {
			const changed = await changeUser({ ...deps, db }, request, request.body);
			if (changed.status !== 'ACTIVE') {
				await endSessionsOf(db, changed.id, deps.now());
				await deleteDevicesOf(db, changed.id);
			}
			return changed;
		});
		request.log.info('the status of an account was changed', {
			userId: user.id,
			status: user.status,
			by: request.principal.userId,
		});
		return userDto(user);
	},
});

const release = route({
	method: 'post',
	path: '/auth/users/{id}/release',
	operationId: 'releaseUser',
	tag: 'authentication',
	summary: 'End the locks and delays that failed sign-ins caused',
	description:
		'For unknown devices, known devices and sessions of the account; client addresses keep their limit. The status stays as it is.',
	access: administratorsOnly,
	params: idParameters,
	output: releaseSchema,
	message: 'Released',
	cacheControl: 'no-store',
	handler: async ({ principal, params, log }, deps) => {
		await requireAdministrator(deps, principal);
		const user = await getUser(deps.db, params.id);
		const at = deps.now();
		const failures = await releaseAccount(deps.db, user, at);
		deps.signInMetrics.released();
		log.info('an account was released', { userId: user.id, failures, by: principal.userId });
		return { userId: user.id, failures, releasedAt: at.toISOString() };
	},
});

export const userRoutes: readonly Route<AuthDeps>[] = [listAll, getOne, putRoles, putStatus, release];

type ChangeRequest = Pick<
	RouteRequest<{ readonly id: string }, unknown, unknown, Principal>,
	'principal' | 'params' | 'ifMatch' | 'serverOwned'
>;

/**
 * Behind the lock also the administrator who asks must be one still: two at a time could else both act, each
 * dismissed by the other. @throws ApiError, also for whoever is none.
 */
async function changeUser(
	deps: SessionDeps,
	{ principal, params, ifMatch, serverOwned }: ChangeRequest,
	changes: UserChanges,
): Promise<User> {
	const { db, now } = deps;
	await lockAdministrators(db);
	await requireAdministrator(deps, principal);
	const user = await lockUser(db, params.id);
	requireVersion(ifMatch, user.version);
	refuseServerOwnedChanges(serverOwned, userDto(user));
	await keepAdministrator(db, user, { ...user, ...changes });
	return updateUser(db, user, changes, now());
}

function fieldsBeside(writable: readonly (keyof UserDto)[]): string[] {
	const all: readonly (keyof UserDto)[] = Object.keys(userSchema.shape) as (keyof UserDto)[];
	return all.filter((field) => !writable.includes(field));
}

/** zod's optional fields may be there and undefined; stored ones may not. */
function definedScopes(scopes: UserDto['roleScopes']): User['roleScopes'] {
	return Object.fromEntries(Object.entries(scopes).filter(([, scope]) => scope !== undefined));
}
