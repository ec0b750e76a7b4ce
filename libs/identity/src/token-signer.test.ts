import { createHash, createPublicKey, generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { generateSigningKey, publicJwkOf } from './signing-key.ts';
import { claimsMarginMs, createTokenSigner, type TokenSignerDeps } from './token-signer.ts';

const now = new Date('2026-03-01T12:00:00.900Z');
const deps: TokenSignerDeps = {
	issuer: 'issuer',
	audience: 'audience',
	now: () => now,
	newId: () => '3f1c9c0e-2b1d-4c58-9c0a-52a3a5a0c7d1',
};
const claims = { userId: randomUUID(), roles: ['MEMBER'], sessionId: randomUUID() } as const;

function decoded(token: string): unknown[] {
	return token
		.split('.')
		.slice(0, 2)
		.map((part) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')));
}

describe('a token signer', () => {
	test('writes exactly the header and the claims of an access token', async () => {
		const key = await generateSigningKey();
		const { token, expiresAt } = createTokenSigner(deps).sign(claims, key);
		const iat = Math.floor(now.getTime() / 1000);
		expect(decoded(token)).toEqual([
			{ alg: 'RS256', typ: 'at+jwt', kid: key.kid },
			{
				iss: 'issuer',
				aud: 'audience',
				sub: claims.userId,
				roles: ['MEMBER'],
				iat,
				exp: iat + 900,
				jti: deps.newId?.(),
				sid: claims.sessionId,
			},
		]);
		expect(expiresAt).toEqual(new Date('2026-03-01T12:15:00.000Z'));
	});

	test('signs so that node:crypto agrees, with the published key', async () => {
		const key = await generateSigningKey();
		const { token } = createTokenSigner(deps).sign(claims, key);
		const input = token.slice(0, token.lastIndexOf('.'));
		const signature = Buffer.from(token.slice(input.length + 1), 'base64url');
		const published = { key: { ...key.publicJwk }, format: 'jwk' } as const;
		expect(verify('RSA-SHA256', Buffer.from(input), published, signature)).toBe(true);
	});

	test('adds scopes and member where there are any', async () => {
		const key = await generateSigningKey();
		const roleScopes = { CLUB_OFFICIAL: { clubIds: [randomUUID()] } };
		const memberId = randomUUID();
		const { token } = createTokenSigner(deps).sign({ ...claims, roleScopes, memberId }, key);
		expect(decoded(token)[1]).toMatchObject({ roleScopes, memberId });
		const { token: without } = createTokenSigner(deps).sign({ ...claims, roleScopes: {} }, key);
		expect(decoded(without)[1]).not.toHaveProperty('roleScopes');
	});

	test('ends before a claim ends, by the time for which verifiers accept an expired token', async () => {
		const key = await generateSigningKey();
		const signer = createTokenSigner(deps);
		const nowMs = Math.floor(deps.now().getTime() / 1000) * 1000;
		const expiryOf = (holdsMs: number) =>
			signer.sign({ ...claims, holdsUntil: new Date(nowMs + holdsMs) }, key).expiresAt.getTime() - nowMs;
		expect(expiryOf(100_000)).toBe(70_000);
		expect(expiryOf(claimsMarginMs)).toBeGreaterThan(0);
		expect(expiryOf(86_400_000)).toBe(900_000);
	});

	test('gives each token its own id', async () => {
		const key = await generateSigningKey();
		const { newId: _newId, ...others } = deps;
		const signer = createTokenSigner(others);
		expect(signer.sign(claims, key).token).not.toBe(signer.sign(claims, key).token);
	});

	test.each([900_001, 0, -1_000, 1_500, Number.NaN, Number.POSITIVE_INFINITY])(
		'refuses a lifetime of %d ms',
		(lifetimeMs) => {
			expect(() => createTokenSigner({ ...deps, lifetimeMs })).toThrow(RangeError);
		},
	);

	test('refuses keys that are short, public, of another kind, or symmetric', () => {
		const signer = createTokenSigner(deps);
		const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
		const unusable = [
			generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
			rsa.publicKey,
			generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
			generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey,
		];
		for (const privateKey of unusable)
			expect(() => signer.sign(claims, { kid: 'k', privateKey })).toThrow(TypeError);
		expect(() => signer.sign(claims, { kid: 'k', privateKey: rsa.privateKey })).not.toThrow();
	});

	test('refuses to sign a token that is too long for verifiers', async () => {
		const key = await generateSigningKey();
		const clubIds = Array.from({ length: 300 }, () => randomUUID());
		const signing = () =>
			createTokenSigner(deps).sign({ ...claims, roleScopes: { CLUB_OFFICIAL: { clubIds } } }, key);
		expect(signing).toThrow(RangeError);
	});
});

describe('a signing key', () => {
	test('is RSA with 2048 bits, named by its thumbprint, and published without its private half', async () => {
		const { kid, privateKey, publicJwk } = await generateSigningKey();
		expect(privateKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
		expect(publicJwk).toEqual({
			kty: 'RSA',
			n: expect.stringMatching(/^[\w-]{342}$/),
			e: 'AQAB',
			kid,
			alg: 'RS256',
			use: 'sig',
		});
		const required = `{"e":"AQAB","kty":"RSA","n":"${publicJwk.n}"}`;
		expect(kid).toBe(createHash('sha256').update(required).digest('base64url'));
	});

	test('has the thumbprint that RFC 7638 §3.1 works out', () => {
		const n =
			'0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw';
		const rfcKey = createPublicKey({ key: { kty: 'RSA', n, e: 'AQAB' }, format: 'jwk' });
		expect(publicJwkOf(rfcKey).kid).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
	});

	test('has no public JWK where it is not RSA', () => {
		expect(() => publicJwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)).toThrow(
			TypeError,
		);
	});
});
