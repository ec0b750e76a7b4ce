import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMovingClock, createTestIdentity, type TestIdentity } from '@paddock/testing';
import jsonwebtoken from 'jsonwebtoken';
import { hasRole, type Principal } from './principal.ts';
import { createLocalKeySet } from './remote-key-set.ts';
import { generateSigningKey } from './signing-key.ts';
import { internalAudience } from './token-claims.ts';
import { createTokenVerifier, type TokenVerifier } from './token-verifier.ts';

const clock = createMovingClock(new Date('2026-03-01T12:00:00.250Z'));
const now = clock.now;
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
const invalid = expect.objectContaining({ code: 'INVALID_TOKEN', status: 401 });
const expired = expect.objectContaining({ code: 'TOKEN_EXPIRED', status: 401 });
let identity: TestIdentity;
let verifier: TokenVerifier;

beforeAll(async () => {
	identity = await createTestIdentity({ now });
});

beforeEach(() => {
	verifier = verifierWith({});
});

function verifierWith(deps: Partial<Parameters<typeof createTokenVerifier>[0]>): TokenVerifier {
	return createTokenVerifier({ keys: identity.keys, issuer: 'paddock', audience: 'paddock', now, ...deps });
}

describe('a token verifier', () => {
	test('returns the principal of a valid token', async () => {
		const claims = {
			userId: randomUUID(),
			roles: ['MEMBER', 'CLUB_OFFICIAL'],
			roleScopes: { CLUB_OFFICIAL: { clubIds: [randomUUID(), randomUUID()] } },
			scopes: ['members:lookup', 'horses:lookup'],
			memberId: randomUUID(),
			guardianOf: [randomUUID(), randomUUID()],
			contactFor: [{ clubId: randomUUID(), memberIds: [randomUUID()] }],
			sessionId: randomUUID(),
			accountVersion: 7,
		} as const;
		const principal = await verifier.verify(identity.sign(claims));
		expect(principal).toEqual({
			...claims,
			// A token of a session that names no authentication.
			authenticatedAt: new Date(0),
			authenticationMethods: [],
			tokenId: expect.stringMatching(/^[0-9a-f-]{36}$/),
			keyId: identity.jwks.keys[0]?.kid,
			issuedAt: new Date(Math.floor(now().getTime() / 1000) * 1000),
			expiresAt: new Date(Math.floor(now().getTime() / 1000) * 1000 + 900_000),
		});
		expect(hasRole(principal, 'ADMIN', 'CLUB_OFFICIAL')).toBe(true);
		expect(hasRole(principal, 'ADMIN')).toBe(false);
		expect(hasRole(principal)).toBe(false);
	});

	test('leaves scopes empty and the member undefined where the token has none', async () => {
		const principal = await verifier.verify(identity.sign());
		expect(principal.roleScopes).toEqual({});
		expect(principal.scopes).toEqual([]);
		expect(principal.memberId).toBeUndefined();
		expect([principal.guardianOf, principal.contactFor]).toEqual([[], []]);
	});

	test('accepts service tokens only internally and user tokens only externally', async () => {
		const inside = verifierWith({ audience: internalAudience('paddock') });
		const ofService = identity.signService(['members:lookup']);
		const ofPerson = identity.sign({ roles: ['ADMIN'], scopes: ['members:lookup'] });
		expect(await inside.verify(ofService)).toMatchObject({ scopes: ['members:lookup'], roles: [] });
		await expect(inside.verify(ofPerson)).rejects.toEqual(invalid);
		await expect(verifier.verify(ofService)).rejects.toEqual(invalid);
		expect(await verifier.verify(ofPerson)).toMatchObject({ roles: ['ADMIN'] });
	});

	test('refuses every forged token, and remembers none', async () => {
		const accepted: string[] = [];
		const otherwise: string[] = [];
		for (const { name, token } of identity.forge()) {
			await verifier.verify(token).then(
				() => accepted.push(name),
				(error) => error.code === 'INVALID_TOKEN' || otherwise.push(`${name}: ${error}`),
			);
		}
		expect({ accepted, otherwise }).toEqual({ accepted: [], otherwise: [] });
		expect(identity.forge().length).toBeGreaterThan(100);
		expect(verifier.cacheSize()).toBe(0);
	});

	test('refuses the tokens of another issuer that calls itself the same', async () => {
		const other = await createTestIdentity({ now, ownKey: true });
		await expect(verifier.verify(other.sign())).rejects.toEqual(invalid);
		await expect(verifierWith({ keys: other.keys }).verify(other.sign())).resolves.toBeDefined();
	});

	test('accepts the long form of the type, as RFC 9068 §4 requires', async () => {
		await expect(verifyHandMade({ typ: 'application/AT+JWT' }, {})).resolves.toBeDefined();
	});

	test('refuses tokens above 8 KB, even with a valid signature', async () => {
		await expect(verifyHandMade({}, { filler: 'x'.repeat(5_000) })).resolves.toBeDefined();
		await expect(verifyHandMade({}, { filler: 'x'.repeat(6_000) })).rejects.toEqual(invalid);
	});

	test('allows clocks to differ by the tolerance, and no more', async () => {
		const nowS = Math.floor(now().getTime() / 1000);
		await expect(verifyHandMade({}, { iat: nowS + 30, exp: nowS + 60 })).resolves.toBeDefined();
		await expect(verifyHandMade({}, { iat: nowS + 31, exp: nowS + 60 })).rejects.toEqual(invalid);
		await expect(verifyHandMade({}, { exp: nowS + 930 })).resolves.toBeDefined();
		await expect(verifyHandMade({}, { exp: nowS + 931 })).rejects.toEqual(invalid);
		await expect(verifyHandMade({}, { nbf: nowS + 30 })).resolves.toBeDefined();
		await expect(verifyHandMade({}, { nbf: nowS + 31 })).rejects.toEqual(invalid);
	});

	test('distinguishes an expired token from a forged one, 30 s after its expiry', async () => {
		const token = identity.sign();
		const { expiresAt } = await verifier.verify(token);
		const movable = createMovingClock(new Date(expiresAt.getTime() + 29_999));
		const later = verifierWith({ now: movable.now });
		await expect(later.verify(token)).resolves.toBeDefined();
		movable.advance(1);
		await expect(later.verify(token)).rejects.toEqual(expired);
		await expect(verifier.verify(identity.signExpired())).rejects.toEqual(expired);
		const broken = `${identity.signExpired().slice(0, -10)}AAAAAAAAAA`;
		await expect(verifier.verify(broken)).rejects.toEqual(invalid);
	});

	test('returns 503 instead of 401 while there are no keys', async () => {
		const keys = createLocalKeySet({ source: () => Promise.reject(new Error('away')), now, logger });
		const blind = verifierWith({ keys });
		await expect(blind.verify(identity.sign())).rejects.toHaveProperty('code', 'SERVICE_UNAVAILABLE');
		await expect(blind.verify('not.a.token')).rejects.toEqual(invalid);
	});
});

/** Verifies a genuine signature over a header and claims of the test's own. */
async function verifyHandMade(header: object, claims: object): Promise<Principal> {
	const key = await generateSigningKey();
	const nowS = Math.floor(now().getTime() / 1000);
	const payload = {
		iss: 'paddock',
		aud: 'paddock',
		sub: randomUUID(),
		roles: ['MEMBER'],
		iat: nowS,
		exp: nowS + 900,
		jti: randomUUID(),
		sid: randomUUID(),
		...claims,
	};
	const token = jsonwebtoken.sign(payload, key.privateKey, {
		algorithm: 'RS256',
		header: { alg: 'RS256', typ: 'at+jwt', kid: key.kid, ...header },
	});
	const keys = createLocalKeySet({ source: async () => ({ keys: [key.publicJwk] }), now, logger });
	return verifierWith({ keys }).verify(token);
}

/** A verifier, and how often it has looked for a key. */
function countingVerifier(): { counting: TokenVerifier; finds: () => number } {
	let finds = 0;
	const find = (kid: string) => {
		finds += 1;
		return identity.keys.find(kid);
	};
	return { counting: verifierWith({ keys: { ...identity.keys, find } }), finds: () => finds };
}

describe('the memory of a token verifier', () => {
	test('returns the same frozen principal again without a key lookup', async () => {
		const { counting, finds } = countingVerifier();
		const token = identity.sign({ roleScopes: { ORGANISER: { clubIds: [randomUUID()] } } });
		expect(counting.verifyCached(token)).toBeUndefined();
		const principal = await counting.verify(token);
		expect(await counting.verify(token)).toBe(principal);
		expect(counting.verifyCached(token)).toBe(principal);
		expect(finds()).toBe(1);
		for (const part of [
			principal,
			principal.roles,
			principal.roleScopes,
			principal.roleScopes.ORGANISER?.clubIds,
		])
			expect(Object.isFrozen(part)).toBe(true);
	});

	test('verifies a new token once, however many requests bring it together', async () => {
		const { counting, finds } = countingVerifier();
		const token = identity.sign();
		const principals = await Promise.all(Array.from({ length: 20 }, () => counting.verify(token)));
		expect(new Set(principals).size).toBe(1);
		expect(finds()).toBe(1);
		const bad = `${token.slice(0, -10)}AAAAAAAAAA`;
		const refusals = await Promise.allSettled([counting.verify(bad), counting.verify(bad)]);
		expect(refusals.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
		await expect(counting.verify(bad)).rejects.toEqual(invalid);
		expect(finds()).toBe(3);
	});

	test('ends when the token does', async () => {
		const movable = createMovingClock(now());
		const moving = verifierWith({ now: movable.now });
		const token = identity.sign();
		await moving.verify(token);
		movable.advance(900_000 + 30_000);
		expect(moving.verifyCached(token)).toBeUndefined();
		expect(moving.cacheSize()).toBe(0);
		await expect(moving.verify(token)).rejects.toEqual(expired);
	});

	test('is bounded in number and in characters', async () => {
		const small = verifierWith({ cacheMax: 16 });
		const tokens = Array.from({ length: 40 }, () => identity.sign());
		for (const token of tokens) await small.verify(token);
		expect(small.cacheSize()).toBe(16);
		expect(small.verifyCached(tokens[39] ?? '')).toBeDefined();
		expect(small.verifyCached(tokens[0] ?? '')).toBeUndefined();
		const clubIds = Array.from({ length: 100 }, () => randomUUID());
		for (let n = 0; n < 10; n += 1)
			await small.verify(identity.sign({ roleScopes: { CLUB_OFFICIAL: { clubIds } } }));
		expect(small.cacheSize()).toBeLessThan(4);
	});
});
