import { createPrivateKey, type KeyObject } from 'node:crypto';
import { advisoryLock } from '@paddock/database';
import type { PublicJwk } from '@paddock/identity';
import type { AuthQueryable } from '../auth-database.ts';
import type { KeyTimes } from './key-ring.ts';

export interface StoredKey extends KeyTimes {
	readonly privateKey: KeyObject;
	readonly publicJwk: PublicJwk;
}

/** Serializes key rotation across instances until the transaction ends. */
export async function lockRotation(transaction: AuthQueryable): Promise<void> {
	await advisoryLock(transaction, 'signing key rotation');
}

export async function findSigningKeys(db: AuthQueryable): Promise<StoredKey[]> {
	const rows = await db.selectFrom('signing_keys').selectAll().orderBy('signs_from').execute();
	return rows.map((row) => ({
		kid: row.kid,
		privateKey: createPrivateKey(row.private_key),
		publicJwk: row.public_jwk,
		createdAt: row.created_at,
		signsFrom: row.signs_from,
	}));
}

export async function insertSigningKey(db: AuthQueryable, key: StoredKey): Promise<void> {
	await db
		.insertInto('signing_keys')
		.values({
			kid: key.kid,
			private_key: key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
			public_jwk: JSON.stringify(key.publicJwk),
			created_at: key.createdAt,
			signs_from: key.signsFrom,
		})
		.execute();
}

export async function deleteSigningKeys(db: AuthQueryable, kids: readonly string[]): Promise<void> {
	if (kids.length === 0) return;
	await db
		.deleteFrom('signing_keys')
		.where('kid', 'in', [...kids])
		.execute();
}
