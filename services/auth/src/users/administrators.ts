import { advisoryLock } from '@paddock/database';
import { sql } from 'kysely';
import type { AuthQueryable } from '../database-schema.ts';
import { authError } from '../errors.ts';
import type { User } from './view.ts';

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
		.where(sql<boolean>`'ADMIN' = any(roles)`)
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
