import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { sessionSubject } from '@paddock/identity';
import { eventually, waitingForLocks } from '@paddock/testing';
import { claimsOf, pageAfter, revocationBench, revoked } from './revocation-bench.ts';
import { goodPassword } from './running-auth.ts';

const bench = revocationBench();

describe('the feed revokes', () => {
	test.each(['LOCKED', 'SUSPENDED', 'CLOSED'])(
		'every token of an account that becomes %s',
		async (status) => {
			const person = await bench.auth.member();
			const second = await bench.auth.signIn(person);
			expect(await revoked(bench.auth, person.accessToken, second.accessToken)).toEqual([false, false]);
			expect((await bench.put(person.id, 'status', { status })).status).toBe(200);
			expect(await revoked(bench.auth, person.accessToken, second.accessToken)).toEqual([true, true]);
			await bench.put(person.id, 'status', { status: 'ACTIVE' });
			expect(await revoked(bench.auth, (await bench.auth.signIn(person)).accessToken)).toEqual([false]);
		},
	);

	// All of it happens within one second of the clock, as `iat` counts it.
	test.each<[string, object]>([
		['roles', { roles: ['MEMBER', 'FEDERATION_OFFICER'] }],
		['scopes', { roles: ['MEMBER', 'ORGANISER'], roleScopes: { ORGANISER: { clubIds: [randomUUID()] } } }],
		['member', { roles: ['MEMBER'], memberId: randomUUID() }],
	])('tokens from before a change of %s, and none from after it', async (_what, body) => {
		const person = await bench.auth.member();
		const before = await bench.refresh(person.refreshToken);
		expect((await bench.put(person.id, 'roles', body)).status).toBe(200);
		const after = await bench.refresh(before.data.refreshToken);
		expect(await revoked(bench.auth, person.accessToken, before.data.accessToken)).toEqual([true, true]);
		expect(await revoked(bench.auth, after.data.accessToken)).toEqual([false]);
		expect((await bench.put(person.id, 'roles', body)).status).toBe(200);
		expect(await revoked(bench.auth, after.data.accessToken)).toEqual([false]);
	});

	test('the tokens of every other session when the password changes', async () => {
		const person = await bench.auth.member();
		const other = await bench.auth.signIn(person);
		const body = { currentPassword: goodPassword, newPassword: 'another bucket of oats' };
		const { status } = await bench.auth.call('POST', '/auth/change-password', {
			token: person.accessToken,
			body,
		});
		expect(status).toBe(200);
		expect(await revoked(bench.auth, other.accessToken, person.accessToken)).toEqual([true, false]);
		expect(await revoked(bench.auth, (await bench.refresh(person.refreshToken)).data.accessToken)).toEqual([
			false,
		]);
	});

	test('the tokens of a session that its user ends, once', async () => {
		const person = await bench.auth.member();
		const other = await bench.auth.signIn(person);
		for (let times = 0; times < 2; times += 1)
			expect((await bench.auth.call('POST', '/auth/logout', { token: person.accessToken })).status).toBe(200);
		expect(await revoked(bench.auth, person.accessToken, other.accessToken)).toEqual([true, false]);
		const { items } = await pageAfter(bench.auth);
		const subject = sessionSubject(claimsOf(person.accessToken).sessionId);
		expect(items.filter((item) => item.subject === subject)).toHaveLength(1);
	});

	test('the tokens of a session that a reused refresh token ends', async () => {
		const person = await bench.auth.member();
		const next = await bench.refresh(person.refreshToken);
		bench.auth.clock.advance(11_000);
		expect((await bench.refresh(person.refreshToken)).status).toBe(401);
		expect(await revoked(bench.auth, person.accessToken, next.data.accessToken)).toEqual([true, true]);
	});

	test('nothing if a change fails or affects no claim', async () => {
		const person = await bench.auth.member();
		const { next } = await pageAfter(bench.auth);
		expect((await bench.put(person.id, 'status', { status: 'ASLEEP' })).status).toBe(400);
		expect((await bench.put(person.id, 'roles', { roles: ['MEMBER'] })).status).toBe(200);
		const names = { firstName: 'Änne', lastName: 'Huber', phoneNumber: null, locale: 'de-AT' };
		await bench.auth.call('PUT', '/auth/profile', { token: person.accessToken, body: names });
		expect((await pageAfter(bench.auth, next)).items).toEqual([]);
	});

	test('a token that is issued while the change waits for its session', async () => {
		const person = await bench.auth.member();
		const { db } = bench.auth.deps;
		const closing = await db.transaction().execute(async (transaction) => {
			const { sessionId } = claimsOf(person.accessToken);
			const session = transaction.selectFrom('sessions').select('id').where('id', '=', sessionId);
			await session.forUpdate().executeTakeFirstOrThrow();
			const closed = bench.put(person.id, 'status', { status: 'CLOSED' });
			await eventually('the change waits', async () => (await waitingForLocks(transaction)) === 1);
			return { closed };
		});
		const refreshed = await bench.refresh(person.refreshToken);
		expect((await closing.closed).status).toBe(200);
		if (refreshed.status === 200)
			expect(await revoked(bench.auth, refreshed.data.accessToken)).toEqual([true]);
		expect(await revoked(bench.auth, person.accessToken)).toEqual([true]);
	});
});
