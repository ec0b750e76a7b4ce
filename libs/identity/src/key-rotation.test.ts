import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { KeySet } from './key-set.ts';
import { createLocalKeySet } from './remote-key-set.ts';
import { generateSigningKey, type JsonWebKeySet, type SigningKey } from './signing-key.ts';
import { createTokenSigner } from './token-signer.ts';
import { createTokenVerifier } from './token-verifier.ts';

describe('key rotation', () => {
	const now = () => new Date();
	const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
	const invalid = expect.objectContaining({ code: 'INVALID_TOKEN', status: 401 });
	const published: JsonWebKeySet = { keys: [] };
	const keys = createLocalKeySet({ source: async () => published, now, logger });
	const signer = createTokenSigner({ issuer: 'paddock', audience: 'paddock', now });
	const user = { userId: randomUUID(), roles: ['MEMBER'], sessionId: randomUUID() } as const;
	const verifierWith = (trusted: KeySet) =>
		createTokenVerifier({ keys: trusted, issuer: 'paddock', audience: 'paddock', now });
	const signedBy = (key: SigningKey) => signer.sign(user, key).token;

	test('never refuses a token of a published key, and at once those of a withdrawn one', async () => {
		const former = await generateSigningKey();
		const next = await generateSigningKey();
		const rotating = verifierWith(keys);
		published.keys = [former.publicJwk];
		await keys.refresh();
		const cached = signedBy(former);
		const notYetSeen = signedBy(former);
		await rotating.verify(cached);

		published.keys = [former.publicJwk, next.publicJwk];
		await keys.refresh();
		const stays = signedBy(next);
		expect(rotating.verifyCached(cached)).toBeDefined();
		await expect(rotating.verify(stays)).resolves.toBeDefined();
		expect(rotating.cacheSize()).toBe(2);

		published.keys = [next.publicJwk];
		await keys.refresh();
		expect(rotating.verifyCached(cached)).toBeUndefined();
		expect(rotating.verifyCached(stays)).toBeDefined();
		await expect(rotating.verify(cached)).rejects.toEqual(invalid);
		await expect(rotating.verify(notYetSeen)).rejects.toEqual(invalid);
	});

	test('drops cached tokens if a kid identifies another key', async () => {
		const former = await generateSigningKey();
		const other = await generateSigningKey();
		const rotating = verifierWith(keys);
		published.keys = [former.publicJwk];
		await keys.refresh();
		const token = signedBy(former);
		await rotating.verify(token);
		published.keys = [{ ...other.publicJwk, kid: former.kid }];
		await keys.refresh();
		await expect(rotating.verify(token)).rejects.toEqual(invalid);
	});

	test('remembers nothing of a key that is withdrawn while its token is verified', async () => {
		const former = await generateSigningKey();
		const next = await generateSigningKey();
		published.keys = [former.publicJwk];
		await keys.refresh();
		const rotating = verifierWith({
			...keys,
			find: async (kid) => {
				const key = await keys.find(kid);
				published.keys = [next.publicJwk];
				await keys.refresh();
				return key;
			},
		});
		const token = signedBy(former);
		await rotating.verify(token);
		expect(rotating.verifyCached(token)).toBeUndefined();
	});
});
