import { administratorsOnly, instant, type Route } from '@paddock/service';
import { z } from 'zod';
import { type AuthDeps, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { requireStepUp } from '../second-factor/policy.ts';
import { requireAdministrator } from '../sessions/require-session.ts';
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
const jsonWebKeySet = z
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

const signingKeysSchema = z
	.strictObject({ keys: z.array(signingKey).describe('All published keys.') })
	.meta({ id: 'SigningKeys', description: 'Keys that sign access tokens, with their schedule.' });

function signingKeysDto(placed: readonly PlacedKey<StoredKey>[]): z.output<typeof signingKeysSchema> {
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

const jwks = route({
	method: 'get',
	path: '/.well-known/jwks.json',
	operationId: 'getJsonWebKeySet',
	summary: 'Public keys of the access tokens',
	access: 'public',
	output: jsonWebKeySet,
	document: 'application/jwk-set+json',
	message: 'Keys',
	// Much shorter than the time for which a key is published before it signs.
	cacheControl: 'public, max-age=60',
	handler: (_request, { signingKeys }) => signingKeys.published(),
});

const rotate = route({
	method: 'post',
	path: '/auth/keys/rotate',
	operationId: 'rotateSigningKeys',
	writers: 'office',
	summary: 'Rotate the signing keys',
	description:
		'The new key is published at once and signs when every verifier has had time to fetch it. While a new key waits, no other one is created.',
	access: administratorsOnly,
	output: signingKeysSchema,
	errors: errorsNamed('STEP_UP_REQUIRED'),
	message: 'Keys',
	cacheControl: 'no-store',
	handler: async ({ principal, log }, deps) => {
		const administrator = await requireAdministrator(deps, principal);
		await requireStepUp(deps, administrator, principal);
		await deps.signingKeys.rotate();
		log.info('signing key rotation requested', { by: administrator.id });
		return signingKeysDto(await deps.signingKeys.list());
	},
});

export const keyRoutes: readonly Route<AuthDeps>[] = [jwks, rotate];
