import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createMovingClock, createTestIdentity } from '@paddock/testing';
import { accountSubject, createRevocationList, revocationKeptMs, sessionSubject } from './revocation-list.ts';
import { createTokenVerifier } from './token-verifier.ts';

const revoked = expect.objectContaining({ code: 'TOKEN_REVOKED', status: 401 });

function principal(changes: { sessionId?: string; userId?: string; accountVersion?: number } = {}) {
	return { sessionId: randomUUID(), userId: randomUUID(), accountVersion: 3, ...changes };
}

describe('a list of revocations', () => {
	test('revokes every token of a session, and no other session', () => {
		const list = createRevocationList(createMovingClock());
		const [ended, other] = [principal(), principal()];
		list.add([{ subject: sessionSubject(ended.sessionId), before: null }]);
		expect(list.isRevoked(ended)).toBe(true);
		expect(list.isRevoked({ ...ended, sessionId: ended.sessionId.toUpperCase() })).toBe(true);
		expect(list.isRevoked(other)).toBe(false);
	});

	test('revokes the tokens of an account up to the version before the change', () => {
		const list = createRevocationList(createMovingClock());
		const { userId } = principal();
		list.add([{ subject: accountSubject(userId), before: 4 }]);
		const revokedAt = (accountVersion: number) => list.isRevoked(principal({ userId, accountVersion }));
		expect([0, 3, 4, 5].map(revokedAt)).toEqual([true, true, false, false]);
	});

	test('keeps the latest version of an account, in whatever order they arrive', () => {
		const list = createRevocationList(createMovingClock());
		const { userId } = principal();
		for (const before of [4, 9, 6]) list.add([{ subject: accountSubject(userId), before }]);
		expect(list.isRevoked(principal({ userId, accountVersion: 8 }))).toBe(true);
		expect(list.isRevoked(principal({ userId, accountVersion: 9 }))).toBe(false);
	});

	test('an account’s id as that of a session revokes nothing', () => {
		const list = createRevocationList(createMovingClock());
		const { userId } = principal();
		list.add([{ subject: accountSubject(userId), before: null }]);
		expect(list.isRevoked(principal({ sessionId: userId }))).toBe(false);
	});

	test('keeps an entry as long as its tokens may live, and no longer', () => {
		const clock = createMovingClock();
		const list = createRevocationList(clock);
		const ended = principal();
		list.add([{ subject: sessionSubject(ended.sessionId), before: null }]);
		clock.advance(revocationKeptMs - 1);
		list.add([]);
		expect(list.isRevoked(ended)).toBe(true);
		clock.advance(1);
		list.add([]);
		expect(list.size()).toBe(0);
	});
});

describe('a verifier with revocations', () => {
	async function underTest() {
		const clock = createMovingClock();
		const identity = await createTestIdentity({ now: clock.now });
		const list = createRevocationList(clock);
		const judged: string[] = [];
		const revocations = {
			...list,
			isRevoked: (of: Parameters<typeof list.isRevoked>[0]) => {
				judged.push(of.sessionId);
				return list.isRevoked(of);
			},
		};
		const { keys } = identity;
		// Tokens verified while the first keys arrive are not cached.
		await keys.refresh();
		const issued = { keys, issuer: 'paddock', audience: 'paddock', now: clock.now };
		return { identity, list, judged, verifier: createTokenVerifier({ ...issued, revocations }) };
	}

	test('refuses a token that it has verified before, immediately and permanently', async () => {
		const { identity, list, verifier } = await underTest();
		const sessionId = randomUUID();
		const token = identity.sign({ sessionId });
		await verifier.verify(token);
		expect(verifier.verifyCached(token)).toBeDefined();
		list.add([{ subject: sessionSubject(sessionId), before: null }]);
		expect(verifier.verifyCached(token)).toBeUndefined();
		await expect(verifier.verify(token)).rejects.toEqual(revoked);
		expect(verifier.cacheSize()).toBe(0);
	});

	test('refuses a token that it has not verified before', async () => {
		const { identity, list, verifier } = await underTest();
		const userId = randomUUID();
		list.add([{ subject: accountSubject(userId), before: 2 }]);
		await expect(verifier.verify(identity.sign({ userId, accountVersion: 1 }))).rejects.toEqual(revoked);
		await expect(verifier.verify(identity.sign({ userId }))).rejects.toEqual(revoked);
		expect(await verifier.verify(identity.sign({ userId, accountVersion: 2 }))).toMatchObject({ userId });
	});

	test('judges a cached token once for each revocation, not for each request', async () => {
		const { identity, list, judged, verifier } = await underTest();
		const token = identity.sign();
		await verifier.verify(token);
		list.add([{ subject: sessionSubject(randomUUID()), before: null }]);
		judged.length = 0;
		for (let request = 0; request < 50; request += 1) expect(verifier.verifyCached(token)).toBeDefined();
		expect(judged).toHaveLength(1);
	});
});
