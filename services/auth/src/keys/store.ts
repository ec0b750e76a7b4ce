import { createPrivateKey, type KeyObject } from 'node:crypto';
import { advisoryLock } from '@paddock/database';
import type { PublicJwk } from '@paddock/identity';
import type { AuthQueryable } from '../database-schema.ts';
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
	const rows = await db.selectFrom('signingKeys').selectAll().orderBy('signsFrom').execute();
	return rows.map((row) => ({ ...row, privateKey: createPrivateKey(row.privateKey) }));
}

export async function insertSigningKey(db: AuthQueryable, key: StoredKey): Promise<void> {
	const privateKey = key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
	await db
		.insertInto('signingKeys')
		.values({ ...key, privateKey })
		.execute();
}

export async function deleteSigningKeys(db: AuthQueryable, kids: readonly string[]): Promise<void> {
	if (kids.length === 0) return;
	await db
		.deleteFrom('signingKeys')
		.where('kid', 'in', [...kids])
		.execute();
}
