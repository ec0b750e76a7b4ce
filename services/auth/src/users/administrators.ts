import { advisoryLock } from '@paddock/database';
import { sql } from 'kysely';
import type { AuthQueryable } from '../auth-database.ts';
import { authError } from '../errors.ts';
import type { User } from './user.ts';

/**
 * Lets one transaction at a time decide over administrators. A row lock would not do: two administrators who each
 * dismiss the other lock different rows, and each still sees the other one in office.
 */
export async function lockAdministrators(transaction: AuthQueryable): Promise<void> {
	await advisoryLock(transaction, 'administrators');
}

export async function hasAdministrator(db: AuthQueryable): Promise<boolean> {
	return (await findAdministrator(db)) !== undefined;
}

/**
 * Whether `before` may become `after`. Needs `lockAdministrators`.
 * @throws ApiError LAST_ADMINISTRATOR when nobody would be left.
 */
export async function keepAdministrator(
	transaction: AuthQueryable,
	before: User,
	after: Pick<User, 'roles' | 'status'>,
): Promise<void> {
	if (!isAdministrator(before) || isAdministrator(after)) return;
	if ((await findAdministrator(transaction, before.id)) === undefined) throw authError('LAST_ADMINISTRATOR');
}

/** In office: with the role, and able to sign in. */
function isAdministrator(user: Pick<User, 'roles' | 'status'>): boolean {
	return user.status === 'ACTIVE' && user.roles.includes('ADMIN');
}

async function findAdministrator(db: AuthQueryable, except?: string): Promise<{ id: string } | undefined> {
	let administrators = db
		.selectFrom('users')
		.select('id')
		.where('status', '=', 'ACTIVE')
		.where(sql<boolean>`'ADMIN' = any(roles)`)
		.limit(1);
	if (except !== undefined) administrators = administrators.where('id', '<>', except);
	return administrators.executeTakeFirst();
}
