import { administratorsOnly, type Route } from '@paddock/service';
import { type AuthDeps, route } from '../deps.ts';
import { requireAdministrator } from '../sessions/require-session.ts';
import { jsonWebKeySet, signingKeysDto, signingKeysSchema } from './schemas.ts';

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
	summary: 'Rotate the signing keys',
	description:
		'The new key is published at once and signs when every verifier has had time to fetch it. While a new key waits, no other one is created.',
	access: administratorsOnly,
	output: signingKeysSchema,
	message: 'Keys',
	cacheControl: 'no-store',
	handler: async ({ principal, log }, deps) => {
		const administrator = await requireAdministrator(deps, principal);
		await deps.signingKeys.rotate();
		log.info('signing key rotation requested', { by: administrator.id });
		return signingKeysDto(await deps.signingKeys.list());
	},
});

export const keyRoutes: readonly Route<AuthDeps>[] = [jwks, rotate];
