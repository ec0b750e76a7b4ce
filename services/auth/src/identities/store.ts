import type { Selectable } from 'kysely';
import type { AuthQueryable, AuthSchema } from '../database-schema.ts';
import { authError } from '../errors.ts';
import { type User, userColumns } from '../users/store.ts';
import type { ExternalIdentity } from './identity-provider.ts';

export type IdentityRow = Selectable<AuthSchema['externalIdentities']>;

export type LinkedIdentity = Pick<ExternalIdentity, 'issuer' | 'subject' | 'email'>;

/** The account to which the identity signs in. */
export function findIdentityUser(
	db: AuthQueryable,
	{ issuer, subject }: Pick<ExternalIdentity, 'issuer' | 'subject'>,
): Promise<User | undefined> {
	return db
		.selectFrom('externalIdentities')
		.innerJoin('users', 'users.id', 'externalIdentities.userId')
		.select(userColumns.map((column) => `users.${column}` as const))
		.where('externalIdentities.issuer', '=', issuer)
		.where('externalIdentities.subject', '=', subject)
		.executeTakeFirst();
}

/** Linking it again to the same account changes nothing. @throws ApiError IDENTITY_LINKED */
export async function insertIdentity(
	transaction: AuthQueryable,
	userId: string,
	{
		issuer,
		subject,
		email = null,
	}: Omit<LinkedIdentity, 'email'> & { readonly email?: string | null | undefined },
	at: Date,
): Promise<boolean> {
	const row = await transaction
		.insertInto('externalIdentities')
		.values({ userId, issuer, subject, email, createdAt: at, lastUsedAt: null })
		.onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
		.returning('id')
		.executeTakeFirst();
	if (row !== undefined) return true;
	const holder = await findIdentityUser(transaction, { issuer, subject });
	if (holder?.id !== userId) throw authError('IDENTITY_LINKED');
	return false;
}

export async function noteIdentityUse(
	db: AuthQueryable,
	{ issuer, subject }: Pick<ExternalIdentity, 'issuer' | 'subject'>,
	at: Date,
): Promise<void> {
	await db
		.updateTable('externalIdentities')
		.set({ lastUsedAt: at })
		.where('issuer', '=', issuer)
		.where('subject', '=', subject)
		.execute();
}

export function listIdentities(db: AuthQueryable, userId: string): Promise<IdentityRow[]> {
	return db
		.selectFrom('externalIdentities')
		.selectAll()
		.where('userId', '=', userId)
		.orderBy('createdAt')
		.orderBy('id')
		.execute();
}

export async function deleteIdentity(db: AuthQueryable, userId: string, id: string): Promise<boolean> {
	const { numDeletedRows } = await db
		.deleteFrom('externalIdentities')
		.where('userId', '=', userId)
		.where('id', '=', id)
		.executeTakeFirst();
	return numDeletedRows > 0n;
}

export async function deleteIdentitiesOf(db: AuthQueryable, userId: string): Promise<void> {
	await db.deleteFrom('externalIdentities').where('userId', '=', userId).execute();
}
