import { refuseInvalid } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import { idParameters, officersOnly, type Route } from '@paddock/service';
import { type AuthDeps, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { referenceErrors } from '../peers/reference-errors.ts';
import { requireOfficer } from '../sessions/require-session.ts';
import { changeUser } from './change-user.ts';
import { rolesBody } from './role-schemas.ts';
import { requireRoleRight } from './rules.ts';
import { accountTag, type UserDto, userDto, userSchema } from './schemas.ts';
import { getUser, requireMemberFree } from './store.ts';
import { settleUnlinkedMember } from './unlinked-members.ts';
import type { User } from './view.ts';

/**
 * 1. Check the caller's current right.
 * 2. Validate the references outside of the transaction, so that no lock is held during calls to another service.
 * 3. Apply the change; the right is checked again under the lock.
 */
export const putRoles: Route<AuthDeps> = route({
	method: 'put',
	path: '/auth/users/{id}/roles',
	operationId: 'setUserRoles',
	summary: 'Replace the roles of an account, and link it to its member',
	description:
		'Officers of the federation link ordinary accounts to members and give them roles for clubs; only administrators grant FEDERATION_OFFICER or ADMIN and change accounts that hold them. Members and clubs must exist; a member has one account. Access tokens with the former roles are refused within seconds, with `TOKEN_REVOKED`; a refresh gives a token with the new ones.',
	access: officersOnly,
	params: idParameters,
	body: rolesBody,
	serverOwned: true,
	output: userSchema,
	message: 'Roles changed',
	etag: accountTag,
	precondition: true,
	errors: errorsNamed('LAST_ADMINISTRATOR', 'MEMBER_TAKEN'),
	handler: async (request, deps) => {
		const { roles, memberId } = request.body;
		// 1
		const officer = await requireOfficer(deps, request.principal);
		const stored = await getUser(deps.db, request.params.id);
		requireRoleRight(officer, stored, roles);
		// 2
		const roleScopes = definedScopes(request.body.roleScopes);
		const next = { roleScopes, memberId: memberId === undefined ? stored.memberId : memberId };
		const errors = await referenceErrors(deps.memberDirectory, { stored, next }, request);
		refuseInvalid(errors);
		// 3
		const changes = { roles, roleScopes, ...(memberId === undefined ? {} : { memberId }) };
		const user = await inTransaction(deps.db, (db) => {
			const live = { ...deps, db };
			return changeUser(live, request, changes, {
				actor: () => requireOfficer(live, request.principal),
				check: async (actor, before) => {
					requireRoleRight(actor, before, roles);
					if (memberId !== undefined && memberId !== null) await requireMemberFree(db, memberId, before.id);
				},
				settle: async (changed) => {
					if (memberId !== undefined) await settleUnlinkedMember(db, changed.id);
				},
			});
		});
		const { id: userId, memberId: linked } = user;
		request.log.info('roles were changed', { userId, roles, linked, by: request.principal.userId });
		return userDto(user);
	},
});

/** zod's optional fields may be present with the value undefined; stored scopes may not. */
function definedScopes(scopes: UserDto['roleScopes']): User['roleScopes'] {
	return Object.fromEntries(Object.entries(scopes).filter(([, scope]) => scope !== undefined));
}
