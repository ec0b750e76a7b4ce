import { apiError } from '@paddock/contract';
import { isUniqueViolation } from '@paddock/database';
import type { Role, RoleScopes } from '@paddock/identity';
import type { Selectable, Updateable } from 'kysely';
import type { AuthQueryable, UserStatus, UsersTable } from '../auth-database.ts';
import { authError } from '../errors.ts';
import { searchTextOf } from './search-text.ts';
import type { User } from './user.ts';

const columns = [
	'id',
	'email',
	'first_name',
	'last_name',
	'phone_number',
	'locale',
	'roles',
	'role_scopes',
	'member_id',
	'status',
	'last_login_at',
	'password_changed_at',
	'created_at',
	'updated_at',
	'version',
] as const;

export type UserRow = Pick<Selectable<UsersTable>, (typeof columns)[number]>;

export const userColumns = columns;

export function userOf(row: UserRow): User {
	return {
		id: row.id,
		email: row.email,
		firstName: row.first_name,
		lastName: row.last_name,
		phoneNumber: row.phone_number,
		locale: row.locale,
		roles: row.roles,
		roleScopes: row.role_scopes,
		memberId: row.member_id,
		status: row.status,
		lastLoginAt: row.last_login_at,
		passwordChangedAt: row.password_changed_at,
		createdAt: row.created_at,
		updatedAt: row.updated_at,
		version: row.version,
	};
}

export interface NewUser {
	readonly email: string;
	readonly passwordHash: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly phoneNumber: string | null;
	readonly locale: string;
	readonly roles: readonly Role[];
	readonly roleScopes: RoleScopes;
	readonly isDemo: boolean;
}

/** @throws ApiError EMAIL_ALREADY_REGISTERED */
export async function insertUser(db: AuthQueryable, user: NewUser, now: Date): Promise<User> {
	const values = {
		email: user.email,
		password_hash: user.passwordHash,
		first_name: user.firstName,
		last_name: user.lastName,
		phone_number: user.phoneNumber,
		locale: user.locale,
		roles: [...user.roles],
		role_scopes: JSON.stringify(user.roleScopes),
		member_id: null,
		status: 'ACTIVE' as const,
		search_text: searchTextOf(user),
		is_demo: user.isDemo,
		last_login_at: null,
		password_changed_at: now,
		created_at: now,
		updated_at: now,
	};
	try {
		return userOf(await db.insertInto('users').values(values).returning(columns).executeTakeFirstOrThrow());
	} catch (error) {
		if (isUniqueViolation(error, 'users_email_unique'))
			throw authError('EMAIL_ALREADY_REGISTERED', { cause: error });
		throw error;
	}
}

export async function isEmailRegistered(db: AuthQueryable, email: string): Promise<boolean> {
	const row = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
	return row !== undefined;
}

/** Also returns the hash for the comparison with a password. */
export async function findUserByEmail(
	db: AuthQueryable,
	email: string,
): Promise<{ user: User; passwordHash: string } | undefined> {
	const row = await db
		.selectFrom('users')
		.select([...columns, 'password_hash'])
		.where('email', '=', email)
		.executeTakeFirst();
	return row === undefined ? undefined : { user: userOf(row), passwordHash: row.password_hash };
}

/** @throws ApiError NOT_FOUND */
export async function getUser(db: AuthQueryable, id: string): Promise<User> {
	const row = await db.selectFrom('users').select(columns).where('id', '=', id).executeTakeFirst();
	if (row === undefined) throw apiError('NOT_FOUND');
	return userOf(row);
}

export async function getPasswordHash(db: AuthQueryable, id: string): Promise<string> {
	const row = await db.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirst();
	if (row === undefined) throw apiError('NOT_FOUND');
	return row.password_hash;
}

/** Locks the user against concurrent changes until the transaction ends. @throws ApiError NOT_FOUND */
export async function lockUser(transaction: AuthQueryable, id: string): Promise<User> {
	const row = await transaction
		.selectFrom('users')
		.select(columns)
		.where('id', '=', id)
		.forUpdate()
		.executeTakeFirst();
	if (row === undefined) throw apiError('NOT_FOUND');
	return userOf(row);
}

/**
 * Requires that no other account is linked to the member; the error names that account.
 * @throws ApiError MEMBER_TAKEN
 */
export async function requireMemberFree(db: AuthQueryable, memberId: string, userId: string): Promise<void> {
	const holder = await db
		.selectFrom('users')
		.select('id')
		.where('member_id', '=', memberId)
		.where('id', '<>', userId)
		.executeTakeFirst();
	if (holder !== undefined) throw authError('MEMBER_TAKEN', { context: { userId: holder.id } });
}

export interface UserChanges {
	readonly firstName?: string;
	readonly lastName?: string;
	readonly phoneNumber?: string | null;
	readonly locale?: string;
	readonly roles?: readonly Role[];
	readonly roleScopes?: RoleScopes;
	readonly memberId?: string | null;
	readonly status?: UserStatus;
	readonly passwordHash?: string;
}

/** Updates the record and increments its version. `user` must be locked. @throws ApiError MEMBER_TAKEN */
export async function updateUser(
	transaction: AuthQueryable,
	user: User,
	changes: UserChanges,
	now: Date,
): Promise<User> {
	// Kysely omits undefined values.
	const set: Updateable<UsersTable> = {
		first_name: changes.firstName,
		last_name: changes.lastName,
		phone_number: changes.phoneNumber,
		locale: changes.locale,
		roles: changes.roles === undefined ? undefined : [...changes.roles],
		role_scopes: changes.roleScopes === undefined ? undefined : JSON.stringify(changes.roleScopes),
		member_id: changes.memberId,
		status: changes.status,
		password_hash: changes.passwordHash,
		password_changed_at: changes.passwordHash === undefined ? undefined : now,
		search_text: searchTextOf({ ...user, ...changes }),
		updated_at: now,
		version: user.version + 1,
	};
	try {
		const row = await transaction
			.updateTable('users')
			.set(set)
			.where('id', '=', user.id)
			.returning(columns)
			.executeTakeFirstOrThrow();
		return userOf(row);
	} catch (error) {
		if (isUniqueViolation(error, 'users_member_unique')) throw authError('MEMBER_TAKEN', { cause: error });
		throw error;
	}
}

/**
 * Records the sign-in time; undefined if status or password have changed since `user` was read. The version stays
 * unchanged: otherwise each sign-in would invalidate the If-Match of an editor.
 */
export async function noteSignIn(db: AuthQueryable, user: User, at: Date): Promise<User | undefined> {
	const row = await db
		.updateTable('users')
		.set({ last_login_at: at })
		.where('id', '=', user.id)
		.where('status', '=', 'ACTIVE')
		.where('password_changed_at', '=', user.passwordChangedAt)
		.returning(columns)
		.executeTakeFirst();
	return row === undefined ? undefined : userOf(row);
}

/** Whether status and password are unchanged since `user` was read; locks the row until the transaction ends. */
export async function isUnchanged(transaction: AuthQueryable, user: User): Promise<boolean> {
	const row = await transaction
		.selectFrom('users')
		.select('id')
		.where('id', '=', user.id)
		.where('status', '=', 'ACTIVE')
		.where('password_changed_at', '=', user.passwordChangedAt)
		.forUpdate()
		.executeTakeFirst();
	return row !== undefined;
}

/** Replaces the hash with another one of the same password. Does nothing if the password has changed since. */
export async function replaceHash(
	db: AuthQueryable,
	id: string,
	hash: { readonly from: string; readonly to: string },
): Promise<void> {
	await db
		.updateTable('users')
		.set({ password_hash: hash.to })
		.where('id', '=', id)
		.where('password_hash', '=', hash.from)
		.execute();
}
