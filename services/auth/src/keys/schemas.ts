import { instant } from '@paddock/service';
import { z } from 'zod';
import type { PlacedKey } from './key-ring.ts';
import type { StoredKey } from './store.ts';

/** Strict, so that no private key parameter can be included by mistake. */
const jsonWebKey = z
	.strictObject({
		kty: z.literal('RSA').describe('Key type.'),
		n: z.string().describe('Modulus, base64url.'),
		e: z.string().describe('Exponent, base64url.'),
		kid: z.string().describe('Key id, as in the header of the tokens that it signs.'),
		alg: z.literal('RS256').describe('Signature algorithm.'),
		use: z.literal('sig').describe('Use of the key: signatures.'),
	})
	.meta({ id: 'JsonWebKey', description: 'One public key.' });

/** RFC 7517 §5. */
export const jsonWebKeySet = z
	.strictObject({ keys: z.array(jsonWebKey).describe('Keys of tokens that are valid now or soon.') })
	.meta({ id: 'JsonWebKeySet', description: 'Public keys of access tokens (RFC 7517 §5).' });

const signingKey = z
	.strictObject({
		kid: z.string().describe('Key id.'),
		state: z.enum(['NEXT', 'SIGNING', 'RETIRING']).meta({
			id: 'SigningKeyState',
			description:
				'NEXT: published, not signing yet. SIGNING: signs new tokens. RETIRING: published for the tokens that it signed.',
		}),
		createdAt: instant.describe('When the key was made, in UTC.'),
		signsFrom: instant.describe('When it starts to sign, in UTC.'),
		publishedUntil: instant
			.nullable()
			.describe('When it is removed from the key set, in UTC; null until a later key exists.'),
	})
	.meta({ id: 'SigningKey', description: 'One signing key, without its private part.' });

export const signingKeysSchema = z
	.strictObject({ keys: z.array(signingKey).describe('All published keys.') })
	.meta({ id: 'SigningKeys', description: 'Keys that sign access tokens, with their schedule.' });

export function signingKeysDto(placed: readonly PlacedKey<StoredKey>[]): z.output<typeof signingKeysSchema> {
	return {
		keys: placed.map(({ key, state, publishedUntil }) => ({
			kid: key.kid,
			state,
			createdAt: key.createdAt.toISOString(),
			signsFrom: key.signsFrom.toISOString(),
			publishedUntil: publishedUntil?.toISOString() ?? null,
		})),
	};
}
