import { createPrivateKey, type KeyObject } from 'node:crypto';
import { advisoryLock } from '@paddock/database';
import type { PublicJwk } from '@paddock/identity';
import type { AuthQueryable } from '../database-schema.ts';
import { isSealed, type SecretBox } from '../encryption/secret-box.ts';
import type { KeyTimes } from './key-ring.ts';

export interface NewKey extends KeyTimes {
	readonly privateKey: KeyObject;
	readonly publicJwk: PublicJwk;
}

export interface StoredKey extends NewKey {
	/** The private key as stored: encrypted, or as PEM by versions before encrypted keys. */
	readonly stored: string;
}

/** Serializes key rotation across instances until the transaction ends. */
export async function lockRotation(transaction: AuthQueryable): Promise<void> {
	await advisoryLock(transaction, 'signing key rotation');
}

export async function findSigningKeys(db: AuthQueryable, secrets: SecretBox): Promise<StoredKey[]> {
	const rows = await db.selectFrom('signingKeys').selectAll().orderBy('signsFrom').execute();
	return rows.map(({ privateKey: stored, ...row }) => {
		const pem = isSealed(stored) ? secrets.open(stored, ownerOf(row.kid)) : stored;
		return { ...row, stored, privateKey: createPrivateKey(pem) };
	});
}

/** @param secrets undefined stores the private key in clear */
export async function insertSigningKey(
	db: AuthQueryable,
	secrets: SecretBox | undefined,
	{ kid, publicJwk, createdAt, signsFrom, privateKey }: NewKey,
): Promise<void> {
	const pem = pemOf(privateKey);
	const stored = secrets?.seal(pem, ownerOf(kid)) ?? pem;
	await db
		.insertInto('signingKeys')
		.values({ kid, publicJwk, createdAt, signsFrom, privateKey: stored })
		.execute();
}

/** Encrypts a stored key with the current key. False if another instance has just done so. */
export async function resealSigningKey(
	db: AuthQueryable,
	secrets: SecretBox,
	{ kid, privateKey, stored }: StoredKey,
): Promise<boolean> {
	const { numUpdatedRows } = await db
		.updateTable('signingKeys')
		.set({ privateKey: secrets.seal(pemOf(privateKey), ownerOf(kid)) })
		.where('kid', '=', kid)
		.where('privateKey', '=', stored)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

export async function deleteSigningKeys(db: AuthQueryable, kids: readonly string[]): Promise<void> {
	if (kids.length === 0) return;
	await db
		.deleteFrom('signingKeys')
		.where('kid', 'in', [...kids])
		.execute();
}

function pemOf(privateKey: KeyObject): string {
	return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function ownerOf(kid: string): string {
	return `signing_keys/${kid}`;
}
