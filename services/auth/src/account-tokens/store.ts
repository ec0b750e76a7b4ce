import { type RawBuilder, sql } from 'kysely';
import type { AuthQueryable } from '../database-schema.ts';
import type { AccountToken, AccountTokenPurpose } from './account-tokens.ts';

interface NewAccountToken extends AccountToken {
	readonly tokenHash: Buffer;
	readonly purpose: AccountTokenPurpose;
	readonly createdAt: Date;
	readonly expiresAt: Date;
}

export async function insertAccountToken(db: AuthQueryable, token: NewAccountToken): Promise<void> {
	await db
		.insertInto('accountTokens')
		.values({ ...token, data: JSON.stringify(token.data) })
		.execute();
}

/** The token while it is valid; its row stays. */
export function findAccountToken(
	db: AuthQueryable,
	tokenHash: Buffer,
	purpose: AccountTokenPurpose,
	now: Date,
): Promise<AccountToken | undefined> {
	return db
		.selectFrom('accountTokens')
		.select(['userId', 'data'])
		.where('tokenHash', '=', tokenHash)
		.where('purpose', '=', purpose)
		.where('expiresAt', '>', now)
		.$narrowType<{ data: AccountToken['data'] }>()
		.executeTakeFirst();
}

/** Removes the token; undefined if it was not valid. Of concurrent calls one gets it. */
export function takeAccountToken(
	transaction: AuthQueryable,
	tokenHash: Buffer,
	purpose: AccountTokenPurpose,
	now: Date,
): Promise<AccountToken | undefined> {
	return transaction
		.deleteFrom('accountTokens')
		.where('tokenHash', '=', tokenHash)
		.where('purpose', '=', purpose)
		.where('expiresAt', '>', now)
		.returning(['userId', 'data'])
		.$narrowType<{ data: AccountToken['data'] }>()
		.executeTakeFirst();
}

/** Without `purposes` all tokens of the account. */
export async function deleteAccountTokens(
	db: AuthQueryable,
	userId: string,
	purposes?: readonly AccountTokenPurpose[],
): Promise<void> {
	const tokens = db.deleteFrom('accountTokens').where('userId', '=', userId);
	await (purposes === undefined ? tokens : tokens.where('purpose', 'in', purposes)).execute();
}

/** Of a row of `users`: whether the link of its invitation is valid. */
export function hasInvitation(now: Date): RawBuilder<boolean> {
	return sql<boolean>`exists (
		select from account_tokens
		where account_tokens.user_id = users.id and purpose = 'INVITATION' and expires_at > ${now}
	)`;
}

export async function isInvited(db: AuthQueryable, userId: string, now: Date): Promise<boolean> {
	const invited = db.selectFrom('users').select('id').where('id', '=', userId).where(hasInvitation(now));
	return (await invited.executeTakeFirst()) !== undefined;
}

export async function deleteExpiredAccountTokens(db: AuthQueryable, now: Date): Promise<void> {
	await db.deleteFrom('accountTokens').where('expiresAt', '<=', now).execute();
}
