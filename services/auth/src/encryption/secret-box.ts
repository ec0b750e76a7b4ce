import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { EncryptionKey, EncryptionKeys } from './encryption-keys.ts';

/** Encrypts secrets that the database stores. */
export interface SecretBox {
	/** @param owner the row and column that the secret belongs to: it decrypts nowhere else */
	seal(secret: string, owner: string): string;
	/** @throws UnknownKeyError if the key is not configured; Error if the value or its owner was changed */
	open(sealed: string, owner: string): string;
	/** Whether the value is encrypted with the current key. */
	isCurrent(stored: string): boolean;
	/** The id of the key of an encrypted value if that key is not configured. */
	unknownKeyOf(stored: string): string | undefined;
}

class UnknownKeyError extends Error {
	override readonly name = 'UnknownKeyError';

	constructor(keyId: string) {
		super(`encrypted with the key ${keyId}, which KEY_ENCRYPTION_KEY does not contain`);
	}
}

const algorithm = 'aes-256-gcm';
// NIST SP 800-38D §5.2.1.1 and §8.3: random nonces of 96 bits, for fewer than 2^32 values per key.
const nonceBytes = 12;
const tagBytes = 16;
const format = /^enc1:([0-9a-f]{8}):([\w-]+)$/;

/** Whether a stored value is encrypted; versions before encrypted secrets stored them in clear. */
export function isSealed(stored: string): boolean {
	return format.test(stored);
}

/** AES-256-GCM; a value is stored as `enc1:<key id>:<nonce, tag and ciphertext in base64url>`. */
export function createSecretBox(keys: EncryptionKeys): SecretBox {
	const [current] = keys;
	const known = new Map(keys.filter((key) => key !== undefined).map((key) => [key.id, key]));
	return {
		seal: (secret, owner) => encrypt(current, secret, owner),
		open: (sealed, owner) => {
			const [, id = '', payload = ''] = format.exec(sealed) ?? [];
			const key = known.get(id);
			if (key === undefined) throw new UnknownKeyError(id);
			return decrypt(key, Buffer.from(payload, 'base64url'), owner);
		},
		isCurrent: (stored) => format.exec(stored)?.[1] === current.id,
		unknownKeyOf: (stored) => {
			const id = format.exec(stored)?.[1];
			return id === undefined || known.has(id) ? undefined : id;
		},
	};
}

function encrypt({ id, key }: EncryptionKey, secret: string, owner: string): string {
	const nonce = randomBytes(nonceBytes);
	const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(
		Buffer.from(owner),
	);
	const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
	return `enc1:${id}:${Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url')}`;
}

function decrypt({ key }: EncryptionKey, payload: Buffer, owner: string): string {
	const nonce = payload.subarray(0, nonceBytes);
	const tag = payload.subarray(nonceBytes, nonceBytes + tagBytes);
	const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
		.setAAD(Buffer.from(owner))
		.setAuthTag(tag);
	const ciphertext = payload.subarray(nonceBytes + tagBytes);
	return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
}
