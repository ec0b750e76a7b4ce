import { instant } from '@paddock/service';
import { z } from 'zod';
import type { PlacedKey } from '../keys/key-ring.ts';
import type { StoredKey } from '../keys/signing-key-repository.ts';

/** RFC 7517 §5. Strict, so that no private key parameter can be included by mistake. */
export const jsonWebKeySet = z
	.strictObject({
		keys: z.array(
			z.strictObject({
				kty: z.literal('RSA'),
				n: z.string().describe('Modulus, base64url'),
				e: z.string().describe('Exponent, base64url'),
				kid: z.string(),
				alg: z.literal('RS256'),
				use: z.literal('sig'),
			}),
		),
	})
	.meta({ id: 'JsonWebKeySet' });

/** The signing keys as shown to administrators. */
export const signingKeysSchema = z
	.strictObject({
		keys: z.array(
			z.strictObject({
				kid: z.string(),
				state: z
					.enum(['NEXT', 'SIGNING', 'RETIRING'])
					.describe('Published, but not signing yet; signing; published for what it has signed.'),
				createdAt: instant,
				signsFrom: instant,
				publishedUntil: instant.nullable().describe('Known once there is a later key.'),
			}),
		),
	})
	.meta({ id: 'SigningKeys' });

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
