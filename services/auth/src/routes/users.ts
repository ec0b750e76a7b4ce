import { inTransaction } from '@paddock/database';
import {
	administratorsOnly,
	idParameters,
	pageRequest,
	pageSchema,
	type Route,
	refuseServerOwnedChanges,
	requireVersion,
} from '@paddock/service';
import type { AuthQueryable } from '../auth-database.ts';
import { type AuthDeps, route } from '../auth-deps.ts';
import { authErrors } from '../errors.ts';
import { rolesBody, statusBody, type UserDto, userDto, userQuery, userSchema } from '../schemas/user.ts';
import { requireAdministrator } from '../sessions/require-session.ts';
import { endSessionsOf } from '../sessions/session-repository.ts';
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
	etag: 'version',
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
	etag: 'version',
	precondition: true,
	errors: { LAST_ADMINISTRATOR: authErrors.LAST_ADMINISTRATOR },
	handler: async ({ principal, params, body, ifMatch, serverOwned, log }, deps) => {
		const administrator = await requireAdministrator(deps, principal);
		const { roles, memberId } = body;
		const changes = {
			roles,
			roleScopes: definedScopes(body.roleScopes),
			...(memberId === undefined ? {} : { memberId }),
		};
		const user = await inTransaction(deps.db, (transaction) =>
			changeUser(transaction, params.id, changes, { ifMatch, serverOwned, now: deps.now() }),
		);
		log.info('roles were changed', { userId: user.id, roles, by: administrator.id });
		return userDto(user);
	},
});

const putStatus = route({
	method: 'put',
	path: '/auth/users/{id}/status',
	operationId: 'setUserStatus',
	tag: 'authentication',
	summary: 'Lock, suspend, close or reopen an account',
	description: 'Any status but ACTIVE ends the sessions of the account.',
	access: administratorsOnly,
	params: idParameters,
	body: statusBody,
	serverOwned: fieldsBeside(['status']),
	output: userSchema,
	message: 'Status changed',
	etag: 'version',
	precondition: true,
	errors: { LAST_ADMINISTRATOR: authErrors.LAST_ADMINISTRATOR },
	handler: async ({ principal, params, body, ifMatch, serverOwned, log }, deps) => {
		const administrator = await requireAdministrator(deps, principal);
		const now = deps.now();
		const user = await inTransaction(deps.db, async (transaction) => {
			const changed = await changeUser(transaction, params.id, body, { ifMatch, serverOwned, now });
			if (changed.status !== 'ACTIVE') await endSessionsOf(transaction, changed.id, now);
			return changed;
		});
		log.info('the status of an account was changed', {
			userId: user.id,
			status: user.status,
			by: administrator.id,
		});
		return userDto(user);
	},
});

export const userRoutes: readonly Route<AuthDeps>[] = [listAll, getOne, putRoles, putStatus];

async function changeUser(
	transaction: AuthQueryable,
	id: string,
	changes: UserChanges,
	request: {
		readonly ifMatch: readonly number[] | undefined;
		readonly serverOwned: Readonly<Record<string, unknown>>;
		readonly now: Date;
	},
): Promise<User> {
	await lockAdministrators(transaction);
	const user = await lockUser(transaction, id);
	requireVersion(request.ifMatch, user.version);
	refuseServerOwnedChanges(request.serverOwned, userDto(user));
	await keepAdministrator(transaction, user, { ...user, ...changes });
	return updateUser(transaction, user, changes, request.now);
}

function fieldsBeside(writable: readonly (keyof UserDto)[]): string[] {
	const all: readonly (keyof UserDto)[] = Object.keys(userSchema.shape) as (keyof UserDto)[];
	return all.filter((field) => !writable.includes(field));
}

/** zod's optional fields may be there and undefined; stored ones may not. */
function definedScopes(scopes: UserDto['roleScopes']): User['roleScopes'] {
	return Object.fromEntries(Object.entries(scopes).filter(([, scope]) => scope !== undefined));
}
