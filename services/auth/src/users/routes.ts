import { isDeepStrictEqual } from 'node:util';
import { historyRoute } from '@paddock/context';
import { refuseInvalid } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import { isOfficer } from '@paddock/identity';
import { administratorsOnly, officersOnly, pageSchema, type Route } from '@paddock/service';
import { isInvited } from '../account-tokens/store.ts';
import { type AuthDeps, route, update } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { enqueueAccountMail } from '../mails/account-mail.ts';
import { rolesChangedMail } from '../mails/notices.ts';
import { keepMemberClubs } from '../member-links/member-clubs.ts';
import { noteOffice } from '../member-links/store.ts';
import { referenceErrors } from '../peers/members.ts';
import { requireStepUp } from '../second-factor/policy.ts';
import { requireAdministrator, requireOfficer, requireSession } from '../sessions/require-session.ts';
import { releaseAccount } from '../sign-in/sign-in-throttle.ts';
import { accountOnto, changeUser, definedScopes } from './change-user.ts';
import { inviteUser } from './invite-user.ts';
import { requireProven, requireRoleRight } from './rules.ts';
import {
	accountTag,
	invitationBody,
	releaseSchema,
	rolesBody,
	userDto,
	userQuery,
	userSchema,
} from './schemas.ts';
import { userStatusRoutes } from './status-routes.ts';
import { getUser, listUsers, requireMemberFree, settleUnlinkedMember, type User } from './store.ts';

/**
 * 1. Check the caller's current right.
 * 2. Validate the references outside of the transaction, so that no lock is held during calls to another service.
 * 3. Apply the change; the right is checked again under the lock.
 */
const roleUpdates = update({
	path: '/auth/users/{id}/roles',
	operationId: 'setUserRoles',
	writers: 'office',
	summary: 'Change the roles of an account, and link it to its member',
	description:
		'Officers of the federation link ordinary accounts to members and give them roles for clubs; only administrators grant FEDERATION_OFFICER or ADMIN and change accounts that hold them. An account whose address is not verified gets no further roles or scopes and no member, unless it was invited (409 `CONFLICT`). Members and clubs must exist; a member has one account. Access tokens with the former roles are refused within seconds, with `TOKEN_REVOKED`; a refresh gives a token with the new ones.',
	access: officersOnly,
	body: rolesBody,
	output: userSchema,
	message: 'Roles changed',
	etag: accountTag,
	errors: errorsNamed('LAST_ADMINISTRATOR', 'MEMBER_TAKEN', 'STEP_UP_REQUIRED'),
	handler: async (request, deps) => {
		const { update, params, principal, log } = request;
		// 1
		const officer = await requireOfficer(deps, principal);
		await requireStepUp(deps, officer, principal);
		const stored = await getUser(deps.db, params.id);
		const wanted = update.onto(accountOnto(stored, update));
		requireRoleRight(officer, stored, wanted.roles);
		// 2
		const next = { roleScopes: definedScopes(wanted.roleScopes), memberId: wanted.memberId ?? null };
		refuseInvalid(await referenceErrors(deps.memberDirectory, { stored, next }, request));
		const { memberId: named } = next;
		const linkedIds = named === null || named === stored.memberId ? [] : [named];
		const members = await deps.memberDirectory.members(linkedIds, request);
		// 3
		const namesMember = update.named['memberId'] !== undefined;
		const user = await inTransaction(deps.db, (db) => {
			const live = { ...deps, db };
			return changeUser(live, request, {
				actor: () => requireOfficer(live, principal),
				changes: async (actor, before) => {
					const { roles, roleScopes, memberId = null } = update.onto(accountOnto(before, update));
					requireRoleRight(actor, before, roles);
					const after = { roles, roleScopes: definedScopes(roleScopes), memberId };
					requireProven(before, after, await isInvited(db, before.id, deps.now()));
					if (namesMember && memberId !== null) await requireMemberFree(db, memberId, before.id);
					return after;
				},
				settle: async (changed, before) => {
					if (!isDeepStrictEqual(rightsOf(before), rightsOf(changed))) {
						const notice = { userId: changed.id, roles: [...changed.roles] };
						await enqueueAccountMail({ ...deps, transaction: db }, rolesChangedMail, notice);
					}
					if (namesMember) await settleUnlinkedMember(db, changed.id);
					await noteOffice(db, changed, principal.userId);
					await keepMemberClubs(db, linkedIds, members);
				},
			});
		});
		const { id: userId, roles, memberId: linked } = user;
		log.info('roles were changed', { userId, roles, linked, by: principal.userId });
		return userDto(user);
	},
});

const rightsOf = ({ roles, roleScopes }: User) => ({ roles, roleScopes });

const invite = route({
	method: 'post',
	path: '/auth/users',
	operationId: 'inviteUser',
	writers: 'office',
	summary: 'Create an account and invite its owner by mail',
	description:
		'The mail has a link for one use within seven days, with which the owner sets the password (POST /auth/reset-password); the address is verified by it. Until then it has no password for a sign-in, and no rights. An account with the address that was never verified is replaced. A registration with the address does not replace the invited one, but sends the link again. An invitation that is not accepted is deleted like an account that is not verified. Needs a recent second factor like a change of roles.',
	access: administratorsOnly,
	body: invitationBody,
	output: userSchema,
	status: 201,
	message: 'Invited',
	location: ({ id }) => `/auth/users/${id}`,
	cacheControl: 'no-store',
	errors: errorsNamed('EMAIL_ALREADY_REGISTERED', 'STEP_UP_REQUIRED'),
	handler: async (request, deps) => userDto(await inviteUser(request, deps)),
});

const listAll = route({
	method: 'get',
	path: '/auth/users',
	operationId: 'listUsers',
	readers: 'office',
	summary: 'List accounts',
	description: 'Officers of the federation find here the accounts that they link to members.',
	access: officersOnly,
	query: userQuery,
	output: pageSchema(userSchema).meta({ id: 'UserPage' }),
	message: 'Users',
	cacheControl: 'no-store',
	handler: async ({ principal, query }, deps) => {
		await requireOfficer(deps, principal);
		const { items, pagination } = await listUsers(deps.db, query);
		return { items: items.map(userDto), pagination };
	},
});

const getOne = route({
	method: 'get',
	path: '/auth/users/{id}',
	operationId: 'getUser',
	readers: 'office',
	summary: 'Read an account',
	access: officersOnly,
	output: userSchema,
	message: 'User',
	etag: accountTag,
	cacheControl: 'private, no-cache',
	handler: async ({ principal, params }, deps) => {
		await requireOfficer(deps, principal);
		return userDto(await getUser(deps.db, params.id));
	},
});

const history = historyRoute<AuthDeps>({
	tag: 'authentication',
	recordPath: '/auth/users/{id}',
	noun: 'user',
	access: 'signedIn',
	seen: async ({ principal, params }, deps) => {
		if (params.id === principal.userId) await requireSession(deps, principal);
		else await requireOfficer(deps, principal);
		const user = await getUser(deps.db, params.id);
		return isOfficer(principal) ? 'all' : new Set(Object.keys(userDto(user)));
	},
	errors: errorsNamed('FORBIDDEN'),
	description: 'The holder of an account sees its changes without reasons and the accounts of others.',
});

const release = route({
	method: 'post',
	path: '/auth/users/{id}/release',
	operationId: 'releaseUser',
	writers: 'office',
	summary: 'End the locks and delays that failed sign-ins caused',
	description:
		'For unknown devices, known devices and sessions of the account; limits of client addresses and the status of the account do not change.',
	access: administratorsOnly,
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

export const userRoutes: readonly Route<AuthDeps>[] = [
	listAll,
	getOne,
	history,
	invite,
	...roleUpdates,
	...userStatusRoutes,
	release,
];
