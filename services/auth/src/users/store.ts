import { apiError, type Page } from '@paddock/contract';
import {
	isOneOf,
	listPage,
	recentSince,
	refusals,
	refusing,
	searchLines,
	textMatches,
	textQuery,
	wordsBegin,
} from '@paddock/database';
import { pageRequest } from '@paddock/service';
import type { Logger } from '@paddock/telemetry';
import { readableEmail } from '@paddock/text';
import { sql } from 'kysely';
import { hasInvitation } from '../account-tokens/store.ts';
import type { AuthQueryable, UserRow } from '../database-schema.ts';
import { authError } from '../errors.ts';
import type { UserQuery } from './schemas.ts';

/** The columns of an account without its password; `memberId` is a member in the members context. */
export const userColumns = [
	'id',
	'email',
	'firstName',
	'lastName',
	'phoneNumber',
	'locale',
	'roles',
	'roleScopes',
	'memberId',
	'status',
	'lastLoginAt',
	'passwordChangedAt',
	'emailVerifiedAt',
	'mailRefusedAt',
	'mailRefusal',
	'switchedOffMails',
	'createdAt',
	'updatedAt',
	'version',
] as const satisfies readonly (keyof UserRow)[];

export type User = Readonly<Pick<UserRow, (typeof userColumns)[number]>>;

const taken = refusals(authError, {
	users_email_unique: 'EMAIL_ALREADY_REGISTERED',
	users_member_unique: 'MEMBER_TAKEN',
});

type NewUser = Readonly<
	Pick<
		UserRow,
		| 'email'
		| 'passwordHash'
		| 'firstName'
		| 'lastName'
		| 'phoneNumber'
		| 'locale'
		| 'roles'
		| 'roleScopes'
		| 'isDemo'
		| 'emailVerifiedAt'
	>
>;

/** Search text of a user: both orders of the name, and the address in both forms of its domain. */
export function searchTextOf({
	lastName,
	firstName,
	email,
}: Pick<UserRow, 'email' | 'firstName' | 'lastName'>): string {
	return searchLines([lastName, firstName], [firstName, lastName], email, readableEmail(email));
}

/** @throws ApiError EMAIL_ALREADY_REGISTERED */
export function insertUser(db: AuthQueryable, user: NewUser, now: Date): Promise<User> {
	const inserted = db
		.insertInto('users')
		.values({
			...user,
			status: 'ACTIVE',
			searchText: searchTextOf(user),
			passwordChangedAt: now,
			createdAt: now,
			updatedAt: now,
		})
		.returning(userColumns)
		.executeTakeFirstOrThrow();
	return refusing(taken, inserted);
}

/**
 * Inserts an account, or replaces one with this address that was never verified: whoever made that one has not proven the
 * address, and must not keep a password that its owner doesn't know. Undefined if a verified account has the address, or an
 * invited one, whose roles an administrator has set and whose password is random. A replaced account counts as created now: its
 * owner has as long for the verification as that of a new one.
 */
export function registerUser(
	transaction: AuthQueryable,
	user: NewUser,
	now: Date,
): Promise<User | undefined> {
	const changed = {
		...user,
		searchText: searchTextOf(user),
		passwordChangedAt: now,
		createdAt: now,
		updatedAt: now,
	};
	return transaction
		.insertInto('users')
		.values({ ...changed, status: 'ACTIVE' })
		.onConflict((conflict) =>
			conflict
				.column('email')
				.doUpdateSet({ ...changed, version: sql<number>`users.version + 1` })
				.where(isReplaceable(now)),
		)
		.returning(userColumns)
		.executeTakeFirst();
}

/** Of a row of `users`: whether a registration with its address replaces it. */
function isReplaceable(now: Date) {
	return sql<boolean>`users.email_verified_at is null and users.status = 'ACTIVE' and not ${hasInvitation(now)}`;
}

/** The account other than `except` with this address that a registration would replace, locked, unless the office has linked it to a member. */
export function lockUnproven(
	transaction: AuthQueryable,
	{ email, except }: { readonly email: string; readonly except: string },
	now: Date,
): Promise<Pick<User, 'id'> | undefined> {
	return transaction
		.selectFrom('users')
		.select('id')
		.where('email', '=', email)
		.where('id', '<>', except)
		.where('memberId', 'is', null)
		.where(isReplaceable(now))
		.forUpdate()
		.executeTakeFirst();
}

export async function deleteUser(transaction: AuthQueryable, id: string): Promise<void> {
	await transaction.deleteFrom('users').where('id', '=', id).execute();
}

/** Whether `registerUser` would make an account with this address. */
export async function canRegister(db: AuthQueryable, email: string, now: Date): Promise<boolean> {
	const users = db.selectFrom('users').select('id').where('email', '=', email);
	return (await users.where(sql<boolean>`not (${isReplaceable(now)})`).executeTakeFirst()) === undefined;
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
		.select([...userColumns, 'passwordHash'])
		.where('email', '=', email)
		.executeTakeFirst();
	if (row === undefined) return undefined;
	const { passwordHash, ...user } = row;
	return { user, passwordHash };
}

/** @throws ApiError NOT_FOUND */
export function getUser(db: AuthQueryable, id: string): Promise<User> {
	const user = db.selectFrom('users').select(userColumns).where('id', '=', id);
	return user.executeTakeFirstOrThrow(() => apiError('NOT_FOUND'));
}

/** Locks the user against concurrent changes until the transaction ends. @throws ApiError NOT_FOUND */
export function lockUser(transaction: AuthQueryable, id: string): Promise<User> {
	const user = transaction.selectFrom('users').select(userColumns).where('id', '=', id).forUpdate();
	return user.executeTakeFirstOrThrow(() => apiError('NOT_FOUND'));
}

/**
 * Requires that no other account is linked to the member; the error names that account.
 * @throws ApiError MEMBER_TAKEN
 */
export async function requireMemberFree(db: AuthQueryable, memberId: string, userId: string): Promise<void> {
	const holder = await db
		.selectFrom('users')
		.select('id')
		.where('memberId', '=', memberId)
		.where('id', '<>', userId)
		.executeTakeFirst();
	if (holder !== undefined) throw authError('MEMBER_TAKEN', { context: { userId: holder.id } });
}

export type UserChanges = Partial<
	Omit<NewUser, 'email' | 'isDemo'> & Pick<User, 'memberId' | 'status' | 'switchedOffMails'>
>;

/** Updates the record and increments its version. `user` must be locked. @throws ApiError MEMBER_TAKEN */
export function updateUser(
	transaction: AuthQueryable,
	user: User,
	changes: UserChanges,
	now: Date,
): Promise<User> {
	const updated = transaction
		.updateTable('users')
		.set({
			...changes,
			...(changes.passwordHash === undefined ? {} : { passwordChangedAt: now }),
			searchText: searchTextOf({ ...user, ...changes }),
			updatedAt: now,
			version: user.version + 1,
		})
		.where('id', '=', user.id)
		.returning(userColumns)
		.executeTakeFirstOrThrow();
	return refusing(taken, updated);
}

/** `user` must be locked. */
export function verifyUser(transaction: AuthQueryable, user: User, now: Date): Promise<User> {
	return updateUser(transaction, user, { emailVerifiedAt: user.emailVerifiedAt ?? now }, now);
}

/** A proven new address. `user` must be locked. @throws ApiError EMAIL_ALREADY_REGISTERED */
export function changeEmail(transaction: AuthQueryable, user: User, email: string, now: Date): Promise<User> {
	const updated = transaction
		.updateTable('users')
		.set({
			email,
			emailVerifiedAt: now,
			mailRefusedAt: null,
			mailRefusal: null,
			searchText: searchTextOf({ ...user, email }),
			updatedAt: now,
			version: user.version + 1,
		})
		.where('id', '=', user.id)
		.returning(userColumns)
		.executeTakeFirstOrThrow();
	return refusing(taken, updated);
}

/**
 * Removes accounts whose owner has not verified the address in this time; they can be registered again. Invited ones stay
 * while the link of the invitation is valid.
 */
export async function deleteUnverifiedUsers(
	db: AuthQueryable,
	{ createdBefore, now }: { readonly createdBefore: Date; readonly now: Date },
): Promise<void> {
	await db
		.deleteFrom('users')
		.where('emailVerifiedAt', 'is', null)
		.where('createdAt', '<', createdBefore)
		.where('memberId', 'is', null)
		.where(sql<boolean>`not ${hasInvitation(now)}`)
		.execute();
}

/**
 * Records the sign-in time; undefined if status or password have changed since `user` was read. The version stays
 * unchanged: otherwise each sign-in would invalidate the If-Match of an editor.
 */
export function noteSignIn(db: AuthQueryable, user: User, at: Date): Promise<User | undefined> {
	return db
		.updateTable('users')
		.set({ lastLoginAt: at })
		.where('id', '=', user.id)
		.where('status', '=', 'ACTIVE')
		.where('passwordChangedAt', '=', user.passwordChangedAt)
		.returning(userColumns)
		.executeTakeFirst();
}

/** Whether status and password are unchanged since `user` was read; locks the row until the transaction ends. */
export async function isUnchanged(transaction: AuthQueryable, user: User): Promise<boolean> {
	const row = await transaction
		.selectFrom('users')
		.select('id')
		.where('id', '=', user.id)
		.where('status', '=', 'ACTIVE')
		.where('passwordChangedAt', '=', user.passwordChangedAt)
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
		.set({ passwordHash: hash.to })
		.where('id', '=', id)
		.where('passwordHash', '=', hash.from)
		.execute();
}

const order = {
	defaultSort: ['lastName', 'firstName'],
	alphabetical: ['lastName', 'firstName'],
	// Users who never signed in count as the earliest.
	expressions: { lastLoginAt: sql`coalesce(last_login_at, '-infinity')` },
	indexed: [
		['lastName', 'firstName'],
		'firstName',
		'email',
		'status',
		'createdAt',
		'updatedAt',
		'lastLoginAt',
	],
} as const;

/**
 * One page of the users. Without `sort`, users in whose name or address each word of `q` begins a word come first, then
 * by name.
 */
export async function listUsers(db: AuthQueryable, query: UserQuery): Promise<Page<User>> {
	const { q, role, status, updatedSince, sort } = query;
	let users = db.selectFrom('users');
	if (role !== undefined) users = users.where(sql<boolean>`roles && ${role}::text[]`);
	// Implied; the index of accounts with further roles needs it.
	if (role?.includes('MEMBER') === false) users = users.where(sql<boolean>`roles <> '{MEMBER}'`);
	if (status !== undefined) users = users.where('status', 'in', status);
	if (updatedSince !== undefined) users = users.where('updatedAt', '>=', new Date(updatedSince));
	const text = q === undefined ? undefined : textQuery(q);
	const hasText = text && textMatches('searchText', text);
	return listPage(db, hasText === undefined ? users : users.where(hasText), {
		request: pageRequest(query),
		sort,
		order,
		since: recentSince(query),
		isSearch: text !== undefined,
		searched: hasText && {
			matching: users,
			isHit: sql`(select ${hasText} from users hits where hits.id = candidates.id)`,
		},
		// The index of accounts with further roles has them.
		hasKeys: role?.includes('MEMBER') === false,
		rank: text && sql<number>`case when ${wordsBegin('searchText', text)} then 0 else 1 end`,
		find: (ids) => db.selectFrom('users').select(userColumns).where(isOneOf('id', ids)).execute(),
	});
}

/** Logs the accounts that migration 0005 unlinked from a member and that still await an officer's decision. */
export async function reportUnlinkedMembers(db: AuthQueryable, logger: Logger): Promise<void> {
	const rows = await db.selectFrom('unlinkedMembers').selectAll().orderBy('userId').execute();
	for (const { userId, memberId, keptBy } of rows) {
		logger.warn(
			'an account was unlinked from its member because another account holds it; set its memberId',
			{ userId, memberId, keptBy },
		);
	}
}

/** Removes the mark after an officer has set the member of the account or confirmed that it has none. */
export async function settleUnlinkedMember(db: AuthQueryable, userId: string): Promise<void> {
	await db.deleteFrom('unlinkedMembers').where('userId', '=', userId).execute();
}
