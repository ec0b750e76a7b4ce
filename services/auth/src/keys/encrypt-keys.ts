import { isDeepStrictEqual } from 'node:util';
import { inTransaction } from '@paddock/database';
import { type generateSigningKey, publicJwkOf } from '@paddock/identity';
import type { Logger } from '@paddock/telemetry';
import type { AuthDatabase } from '../database-schema.ts';
import { isSealed, type SecretBox } from '../encryption/secret-box.ts';
import { type KeyPolicy, signsFromOf } from './key-ring.ts';
import {
	findSigningKeys,
	insertSigningKey,
	lockRotation,
	resealSigningKey,
	type StoredKey,
} from './store.ts';

/** Whether a key is stored in clear, as by versions before encrypted keys. */
export function isInClear(key: StoredKey): boolean {
	return !isSealed(key.stored);
}

/**
 * Leaves out keys that can only come from a foreign write to the database, and logs each once:
 * - whose public key does not belong to the private one, the only encrypted one: tokens that another party signs would be
 *   accepted;
 * - in clear, beside an encrypted one or once all have been encrypted. Versions before encrypted keys store all in clear.
 */
export function acceptedKeys(logger: Logger): (stored: readonly StoredKey[]) => readonly StoredKey[] {
	let encryptedOnly = false;
	const refused = new Set<string>();
	const refuse = ({ kid }: StoredKey, reason: string): false => {
		if (!refused.has(kid)) logger.error(reason, { kid });
		refused.add(kid);
		return false;
	};
	return (stored) => {
		encryptedOnly ||= stored.some((key) => !isInClear(key));
		return stored.filter((key) => {
			if (!isDeepStrictEqual(key.publicJwk, publicJwkOf(key.privateKey)) || key.publicJwk.kid !== key.kid)
				return refuse(key, 'a signing key was refused: its public key does not belong to its private key');
			return encryptedOnly && isInClear(key) ? refuse(key, 'a signing key in clear was refused') : true;
		});
	};
}

interface EncryptionDeps {
	readonly db: AuthDatabase;
	readonly secrets: SecretBox;
	readonly policy: KeyPolicy;
	readonly now: () => Date;
	readonly logger: Logger;
	readonly generateKey: typeof generateSigningKey;
}

/** Encrypts the keys with the current key of KEY_ENCRYPTION_KEY. Returns whether any was not and now is. */
export async function encryptKeys(deps: EncryptionDeps, stored: readonly StoredKey[]): Promise<boolean> {
	const encrypted = stored.some(isInClear) ? await encryptClearKeys(deps) : await encryptAgain(deps, stored);
	for (const { kid } of encrypted)
		deps.logger.info('a signing key was encrypted with the current key', { kid });
	return encrypted.length > 0;
}

async function encryptAgain(
	{ db, secrets }: EncryptionDeps,
	stored: readonly StoredKey[],
): Promise<readonly StoredKey[]> {
	const encrypted: StoredKey[] = [];
	for (const key of stored.filter((one) => !secrets.isCurrent(one.stored)))
		if (await resealSigningKey(db, secrets, key)) encrypted.push(key);
	return encrypted;
}

/**
 * Stores their successor in the same transaction: copies of the database from before contain keys that sign until then.
 * Encrypts none if another instance has just done so.
 */
async function encryptClearKeys(deps: EncryptionDeps): Promise<readonly StoredKey[]> {
	const { db, secrets, policy, now } = deps;
	const successor = await deps.generateKey();
	return inTransaction(db, async (transaction) => {
		await lockRotation(transaction);
		const stored = await findSigningKeys(transaction, secrets);
		if (!stored.every(isInClear)) return [];
		for (const key of stored) await resealSigningKey(transaction, secrets, key);
		const createdAt = now();
		const signsFrom = signsFromOf(stored, createdAt, policy);
		await insertSigningKey(transaction, secrets, { ...successor, createdAt, signsFrom });
		return stored;
	});
}
