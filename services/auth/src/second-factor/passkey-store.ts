import type { Selectable } from 'kysely';
import type { AuthQueryable, AuthSchema } from '../database-schema.ts';
import { authError } from '../errors.ts';
import type { NewPasskey } from './passkeys.ts';

type Passkey = Selectable<AuthSchema['passkeys']>;

export function listPasskeys(db: AuthQueryable, userId: string): Promise<Passkey[]> {
	return db.selectFrom('passkeys').selectAll().where('userId', '=', userId).orderBy('createdAt').execute();
}

export function findPasskey(
	db: AuthQueryable,
	userId: string,
	credentialId: string,
): Promise<Passkey | undefined> {
	return db
		.selectFrom('passkeys')
		.selectAll()
		.where('userId', '=', userId)
		.where('credentialId', '=', credentialId)
		.executeTakeFirst();
}

/** @throws ApiError PASSKEY_KNOWN */
export async function insertPasskey(
	transaction: AuthQueryable,
	passkey: NewPasskey & { readonly userId: string; readonly name: string; readonly createdAt: Date },
): Promise<string> {
	const row = await transaction
		.insertInto('passkeys')
		.values(passkey)
		.onConflict((conflict) => conflict.column('credentialId').doNothing())
		.returning('id')
		.executeTakeFirst();
	if (row === undefined) throw authError('PASSKEY_KNOWN');
	return row.id;
}

/**
 * Stores the new counter. Authenticators that count show with a lower one that the key was copied; synced passkeys stay at
 * 0. False if the stored counter is no longer the one that was verified.
 */
export async function notePasskeyUse(
	db: AuthQueryable,
	{ id, counter }: Pick<Passkey, 'id' | 'counter'>,
	newCounter: number,
	at: Date,
): Promise<boolean> {
	const { numUpdatedRows } = await db
		.updateTable('passkeys')
		.set({ counter: newCounter, lastUsedAt: at })
		.where('id', '=', id)
		.where('counter', '=', counter)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

export async function insertChallenge(
	db: AuthQueryable,
	challenge: {
		readonly challenge: string;
		readonly userId: string;
		readonly owner: string;
		readonly expiresAt: Date;
	},
): Promise<void> {
	await db.insertInto('passkeyChallenges').values(challenge).execute();
}

/** Uses a challenge. Of concurrent uses one succeeds. */
export async function takeChallenge(
	db: AuthQueryable,
	{
		challenge,
		userId,
		owner,
		at,
	}: { readonly challenge: string; readonly userId: string; readonly owner: string; readonly at: Date },
): Promise<boolean> {
	const { numDeletedRows } = await db
		.deleteFrom('passkeyChallenges')
		.where('challenge', '=', challenge)
		.where('userId', '=', userId)
		.where('owner', '=', owner)
		.where('expiresAt', '>', at)
		.executeTakeFirst();
	return numDeletedRows > 0n;
}
