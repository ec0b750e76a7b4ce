import { isDeepStrictEqual } from 'node:util';
import { apiError } from '@paddock/contract';
import type { Principal, Role } from '@paddock/identity';
import type { AuthQueryable } from '../auth-database.ts';
import type { User } from '../users/user.ts';
import { findSessionUser } from './session-repository.ts';

/** `db` is the database, or the transaction in which the result must hold. */
export interface SessionDeps {
	readonly db: AuthQueryable;
	readonly now: () => Date;
}

/**
 * The user of an access token, as he is now. Elsewhere a token is believed until it expires; here, where the account
 * itself is at stake, its session must not be over and the user still active.
 * @throws ApiError TOKEN_REVOKED
 */
export async function requireSession({ db, now }: SessionDeps, principal: Principal): Promise<User> {
	const user = await findSessionUser(db, { id: principal.sessionId, userId: principal.userId }, now());
	if (user === undefined) throw apiError('TOKEN_REVOKED');
	return user;
}

/**
 * Whether a token shows its account as it is now: the session goes on, the account is active, and neither roles nor
 * scopes nor the linked member have changed since.
 */
export async function isCurrent({ db, now }: SessionDeps, principal: Principal): Promise<boolean> {
	const user = await findSessionUser(db, { id: principal.sessionId, userId: principal.userId }, now());
	if (user === undefined) return false;
	const { roles, roleScopes, memberId } = user;
	const current = { roles: [...roles], roleScopes, memberId: memberId ?? undefined };
	const shown = {
		roles: [...principal.roles],
		roleScopes: { ...principal.roleScopes },
		memberId: principal.memberId,
	};
	return isDeepStrictEqual(shown, current);
}

/** Also requires that the role is still there. @throws ApiError TOKEN_REVOKED, FORBIDDEN */
export async function requireAdministrator(deps: SessionDeps, principal: Principal): Promise<User> {
	return requireRole(deps, principal, ['ADMIN']);
}

/** The same for the roles of the federation's office. @throws ApiError INVALID_TOKEN, FORBIDDEN */
export async function requireOfficer(deps: SessionDeps, principal: Principal): Promise<User> {
	return requireRole(deps, principal, ['FEDERATION_OFFICER', 'ADMIN']);
}

async function requireRole(deps: SessionDeps, principal: Principal, roles: readonly Role[]): Promise<User> {
	const user = await requireSession(deps, principal);
	if (!user.roles.some((role) => roles.includes(role))) throw apiError('FORBIDDEN');
	return user;
}
