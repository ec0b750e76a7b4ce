import { isDeepStrictEqual } from 'node:util';
import { apiError } from '@paddock/contract';
import { advisoryLock } from '@paddock/database';
import type { Role } from '@paddock/identity';
import { sql } from 'kysely';
import type { AuthQueryable } from '../database-schema.ts';
import { authError } from '../errors.ts';
import type { User } from './store.ts';

/**
 * The claims of an account's access tokens. Until the address is verified there are none: whoever registered a foreign
 * address must not act in its name.
 */
export function claimsOf({
	roles,
	roleScopes,
	memberId,
	emailVerifiedAt,
}: Pick<User, 'roles' | 'roleScopes' | 'memberId' | 'emailVerifiedAt'>) {
	if (emailVerifiedAt === null) return { roles: [], roleScopes: {}, memberId: undefined };
	return { roles: [...roles], roleScopes, memberId: memberId ?? undefined };
}

/** The roles of the federation's office; only administrators may grant or revoke them. */
const officeRoles: readonly Role[] = ['FEDERATION_OFFICER', 'ADMIN'];

/**
 * Officers link ordinary accounts to members and give them roles for clubs. They neither change an account that holds a
 * role of the office, their own included, nor grant such a role: otherwise one officer could take over the system.
 * @throws ApiError FORBIDDEN
 */
export function requireRoleRight(
	actor: Pick<User, 'roles'>,
	before: Pick<User, 'roles'>,
	after: readonly Role[],
): void {
	if (actor.roles.includes('ADMIN')) return;
	const ofOffice = (roles: readonly Role[]) => roles.some((role) => officeRoles.includes(role));
	if (ofOffice(before.roles))
		throw apiError('FORBIDDEN', { message: 'Only an administrator changes an account of the office.' });
	if (ofOffice(after))
		throw apiError('FORBIDDEN', { message: `Only an administrator grants ${officeRoles.join(' or ')}.` });
}

/**
 * Requires a verified address for further rights: otherwise its owner could give them to an attacker, by the link of the mail that
 * the attacker's registration has sent. An invited account gets them, as its password is random.
 * @throws ApiError CONFLICT
 */
export function requireProven(
	before: Pick<User, 'roles' | 'roleScopes' | 'memberId' | 'emailVerifiedAt'>,
	after: Pick<User, 'roles' | 'roleScopes' | 'memberId'>,
	isInvited: boolean,
): void {
	const isNoMore =
		after.roles.every((role) => before.roles.includes(role)) &&
		Object.keys(after.roleScopes).every((role) =>
			isDeepStrictEqual(Reflect.get(after.roleScopes, role), Reflect.get(before.roleScopes, role)),
		) &&
		(after.memberId === null || after.memberId === before.memberId);
	if (before.emailVerifiedAt !== null || isInvited || isNoMore) return;
	const message =
		'The address of this account is not verified. It gets further rights after its verification.';
	throw apiError('CONFLICT', { message });
}

/**
 * Serializes transactions that change administrators. A row lock would not suffice: two administrators who dismiss each
 * other lock different rows, and each still sees the other in office.
 */
export async function lockAdministrators(transaction: AuthQueryable): Promise<void> {
	await advisoryLock(transaction, 'administrators');
}

/** Whether an active administrator exists, other than `except`. */
export async function hasAdministrator(db: AuthQueryable, except?: string): Promise<boolean> {
	let administrators = db
		.selectFrom('users')
		.select('id')
		.where('status', '=', 'ACTIVE')
		.where('emailVerifiedAt', 'is not', null)
		// The second condition is that of the index of accounts with further roles; the first one alone reads all accounts.
		.where(sql<boolean>`roles @> array['ADMIN'] and roles <> '{MEMBER}'`)
		.limit(1);
	if (except !== undefined) administrators = administrators.where('id', '<>', except);
	return (await administrators.executeTakeFirst()) !== undefined;
}

/**
 * Requires that an active administrator remains when `before` becomes `after`. Needs `lockAdministrators`.
 * @throws ApiError LAST_ADMINISTRATOR if none would remain.
 */
export async function keepAdministrator(
	transaction: AuthQueryable,
	before: User,
	after: Pick<User, 'roles' | 'status'>,
): Promise<void> {
	if (!isAdministrator(before) || isAdministrator(after)) return;
	if (!(await hasAdministrator(transaction, before.id))) throw authError('LAST_ADMINISTRATOR');
}

/** Has the role and can sign in. */
function isAdministrator(user: Pick<User, 'roles' | 'status'>): boolean {
	return user.status === 'ACTIVE' && user.roles.includes('ADMIN');
}
