import { createHmac } from 'node:crypto';
import { z } from 'zod';

/** A key of AES-256-GCM that encrypts secrets in the database. */
export interface EncryptionKey {
	/** Stored with each encrypted value. Derived from the key, discloses nothing about it. */
	readonly id: string;
	readonly key: Buffer;
}

/** The first one encrypts; the second one, if present, only decrypts. */
export type EncryptionKeys = readonly [current: EncryptionKey, previous?: EncryptionKey];

// 32 bytes as hexadecimal digits: letters and digits pass through .env files, shells and lists unchanged.
const keyFormat = /^[0-9a-f]{64}$/i;

/** Outside of production. It is public, so production refuses it. */
const developmentKey = '0'.repeat(64);

export const encryptionKeysSetting = z
	.string()
	.default(developmentKey)
	.transform((list, context): EncryptionKeys => {
		const texts = list.split(',').map((text) => text.trim().toLowerCase());
		const [current, previous] = texts;
		const isList = current !== undefined && texts.length <= 2 && texts.every((text) => keyFormat.test(text));
		if (isList && current !== previous) {
			const key = encryptionKeyOf(current);
			return previous === undefined ? [key] : [key, encryptionKeyOf(previous)];
		}
		context.addIssue({
			code: 'custom',
			message: 'must be one key of 64 hexadecimal digits, or the current and the previous one as `NEW,OLD`',
		});
		return z.NEVER;
	});

function encryptionKeyOf(text: string): EncryptionKey {
	const key = Buffer.from(text, 'hex');
	return { key, id: createHmac('sha256', key).update('paddock key id').digest('hex').slice(0, 8) };
}

/** Whether the public development key is among them. */
export function includesDevelopmentKey(keys: EncryptionKeys): boolean {
	const { id } = encryptionKeyOf(developmentKey);
	return keys.some((one) => one?.id === id);
}
