import { isDeepStrictEqual } from 'node:util';
import { apiError } from '@paddock/contract';
import type { Principal, Role } from '@paddock/identity';
import type { AuthQueryable } from '../database-schema.ts';
import { findRepresented } from '../member-links/store.ts';
import { claimsOf } from '../users/rules.ts';
import type { User } from '../users/store.ts';
import { findSessionUser } from './store.ts';

/** `db` is the database, or the transaction in which the result must hold. */
export interface SessionDeps {
	readonly db: AuthQueryable;
	readonly now: () => Date;
}

/**
 * Returns the current user of an access token. Elsewhere a token is accepted until it expires; here, where the account
 * itself is at stake, the session must not have ended and the user must be active.
 * @throws ApiError TOKEN_REVOKED
 */
export async function requireSession({ db, now }: SessionDeps, principal: Principal): Promise<User> {
	const user = await findSessionUser(db, { id: principal.sessionId, userId: principal.userId }, now());
	if (user === undefined) throw apiError('TOKEN_REVOKED');
	return user;
}

/**
 * Returns the user of a token whose claims are current: the session has not ended, the account is active, and roles,
 * scopes and the members that it acts for are unchanged.
 */
export async function findCurrentUser(
	{ db, now }: SessionDeps,
	principal: Principal,
): Promise<User | undefined> {
	const user = await findSessionUser(db, { id: principal.sessionId, userId: principal.userId }, now());
	if (user === undefined) return undefined;
	const represented = await findRepresented(db, user.id, now());
	const isVerified = user.emailVerifiedAt !== null;
	const guardianOf = isVerified ? represented.guardianOf : [];
	const contactFor = isVerified ? represented.contactFor : [];
	const current = { ...claimsOf(user), guardianOf, contactFor };
	const shown = {
		roles: [...principal.roles],
		roleScopes: { ...principal.roleScopes },
		memberId: principal.memberId,
		guardianOf: principal.guardianOf,
		contactFor: principal.contactFor,
	};
	return isDeepStrictEqual(shown, current) ? user : undefined;
}

/** Also requires that the user still has the role ADMIN. @throws ApiError TOKEN_REVOKED, FORBIDDEN */
export async function requireAdministrator(deps: SessionDeps, principal: Principal): Promise<User> {
	return requireRole(deps, principal, ['ADMIN']);
}

/** Also requires a role of the federation's office. @throws ApiError TOKEN_REVOKED, FORBIDDEN */
export async function requireOfficer(deps: SessionDeps, principal: Principal): Promise<User> {
	return requireRole(deps, principal, ['FEDERATION_OFFICER', 'ADMIN']);
}

async function requireRole(deps: SessionDeps, principal: Principal, roles: readonly Role[]): Promise<User> {
	const user = await requireSession(deps, principal);
	if (!claimsOf(user).roles.some((role) => roles.includes(role))) throw apiError('FORBIDDEN');
	return user;
}
