import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { revocationKeptMs } from '@paddock/identity';
import { eventually, waitingForLocks } from '@paddock/testing';
import { ownAddress, type RunningAuth, runAuth, type Tokens } from './running-auth.ts';

let auth: RunningAuth;
let beside: RunningAuth;
let call: RunningAuth['call'];

beforeAll(async () => {
	auth = await runAuth();
	beside = await runAuth({ beside: auth });
	({ call } = auth);
});
afterAll(async () => {
	await beside.close();
	await auth.close();
});

const dayMs = 86_400_000;
const refresh = (refreshToken: string, through = auth) =>
	through.call<Tokens & { code?: string }>('POST', '/auth/refresh', { body: { refreshToken } });

const hashOf = (refreshToken: string) => createHash('sha256').update(refreshToken).digest('hex');

/** Hashes of the refresh tokens that the sessions of a user can be continued with. */
async function usableTokensOf(userId: string): Promise<string[]> {
	const rows = await auth.deps.db
		.selectFrom('refreshTokens')
		.innerJoin('sessions', 'sessions.id', 'sessionId')
		.select('tokenHash')
		.where('userId', '=', userId)
		.where('endedAt', 'is', null)
		.where('usedAt', 'is', null)
		.where('voidedAt', 'is', null)
		.execute();
	return rows.map((row) => row.tokenHash.toString('hex'));
}

async function isRefused(refreshToken: string): Promise<boolean> {
	const { status, data } = await refresh(refreshToken);
	expect([200, 401]).toContain(status);
	if (status === 401) expect(data.code).toBe('INVALID_TOKEN');
	return status === 401;
}

describe('POST /auth/refresh', () => {
	test('returns new tokens of the same session', async () => {
		const signedIn = await auth.member();
		auth.clock.advance(60_000);
		const { status, data } = await refresh(signedIn.refreshToken);
		expect(status).toBe(200);
		expect(data.refreshToken).not.toBe(signedIn.refreshToken);
		expect(data).toMatchObject({ expiresIn: 900, refreshExpiresIn: 14 * 86_400, user: { id: signedIn.id } });
		const sessionOf = (token: string) =>
			JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid;
		expect(sessionOf(data.accessToken)).toBe(sessionOf(signedIn.accessToken));
		expect((await call('GET', '/auth/profile', { token: data.accessToken })).status).toBe(200);
	});

	test('a second use within the grace, after a lost response or by another tab, returns the same successor', async () => {
		const { refreshToken, id } = await auth.member();
		const first = await refresh(refreshToken);
		auth.clock.advance(10_000);
		const second = await refresh(refreshToken, beside);
		expect(second.status).toBe(200);
		expect(second.data.refreshToken).toBe(first.data.refreshToken);
		expect(second.data.refreshExpiresIn).toBe((first.data.refreshExpiresIn ?? 0) - 10);
		expect(await usableTokensOf(id)).toEqual([hashOf(first.data.refreshToken)]);
		for (const { accessToken } of [first.data, second.data])
			expect((await call('GET', '/auth/profile', { token: accessToken })).status).toBe(200);
		expect(await isRefused(first.data.refreshToken)).toBe(false);
	});

	test('owner and thief who both got the successor end the session once both continue', async () => {
		const { refreshToken } = await auth.member();
		await refresh(refreshToken);
		const stolen = await refresh(refreshToken);
		const next = await refresh(stolen.data.refreshToken);
		auth.clock.advance(10_001);
		expect(await isRefused(stolen.data.refreshToken)).toBe(true);
		expect(await isRefused(next.data.refreshToken)).toBe(true);
	});

	test('a second use after its successor was used ends the session, within the grace as well', async () => {
		const { refreshToken } = await auth.member();
		const first = await refresh(refreshToken);
		const next = await refresh(first.data.refreshToken);
		expect(next.status).toBe(200);
		expect(await isRefused(refreshToken)).toBe(true);
		expect(await isRefused(next.data.refreshToken)).toBe(true);
	});

	test('a third use after the successor of two uses was used ends the session', async () => {
		const { refreshToken } = await auth.member();
		await refresh(refreshToken);
		const second = await refresh(refreshToken);
		const next = await refresh(second.data.refreshToken);
		expect(next.status).toBe(200);
		expect(await isRefused(refreshToken)).toBe(true);
		expect(await isRefused(next.data.refreshToken)).toBe(true);
	});

	test('a token with an invented nonce, or the digest that the database has, is refused', async () => {
		const { refreshToken, id } = await auth.member();
		await refresh(refreshToken);
		const [stored] = await usableTokensOf(id);
		expect(await isRefused(stored ?? '')).toBe(true);
		expect(await isRefused(createHmac('sha256', refreshToken).update('').digest('base64url'))).toBe(true);
	});

	test('treats a use after the grace as theft and ends the session', async () => {
		const { refreshToken, accessToken } = await auth.member();
		const next = await refresh(refreshToken);
		const afterNext = await refresh(next.data.refreshToken);
		auth.clock.advance(10_001);
		expect(await isRefused(refreshToken)).toBe(true);
		expect(await isRefused(next.data.refreshToken)).toBe(true);
		expect(await isRefused(afterNext.data.refreshToken)).toBe(true);
		expect((await call('GET', '/auth/profile', { token: accessToken })).status).toBe(401);
	});

	test('does not end other sessions of the user', async () => {
		const person = await auth.register();
		const [stolen, other] = [await auth.signIn(person), await auth.signIn(person)];
		await refresh(stolen.refreshToken);
		auth.clock.advance(11_000);
		expect(await isRefused(stolen.refreshToken)).toBe(true);
		expect(await isRefused(other.refreshToken)).toBe(false);
	});

	test('measures the grace from the first use, not from the latest', async () => {
		const { refreshToken } = await auth.member();
		await refresh(refreshToken);
		auth.clock.advance(9_000);
		await refresh(refreshToken);
		auth.clock.advance(2_000);
		expect(await isRefused(refreshToken)).toBe(true);
	});

	// Each of them left a usable token behind: 100 sessions from one.
	test('100 at once with one token, on two instances, leave one usable refresh token', async () => {
		const { refreshToken, id } = await auth.member();
		const responses = await Promise.all(
			Array.from({ length: 100 }, (_, index) => refresh(refreshToken, index % 2 === 0 ? auth : beside)),
		);
		expect(responses.map(({ status }) => status)).toEqual(Array(100).fill(200));
		const issued = new Set(responses.map(({ data }) => hashOf(data.refreshToken)));
		expect(issued.size).toBe(1);
		expect(await usableTokensOf(id)).toEqual([...issued]);
	}, 60_000);

	test('that waits for the session detects a use of the token during the wait', async () => {
		const { refreshToken, id, accessToken } = await auth.member();
		const { db } = auth.deps;
		const waiting = await db.transaction().execute(async (transaction) => {
			const sessions = transaction.selectFrom('sessions').select('id').where('userId', '=', id);
			const session = await sessions.forUpdate().executeTakeFirstOrThrow();
			const used = { usedAt: new Date(auth.clock.now().getTime() - 60_000) };
			const tokens = transaction.updateTable('refreshTokens').set(used);
			await tokens.where('sessionId', '=', session.id).execute();
			const response = refresh(refreshToken);
			await eventually('the exchange waits', async () => (await waitingForLocks(transaction)) === 1);
			return { response };
		});
		expect((await waiting.response).data.code).toBe('INVALID_TOKEN');
		expect((await call('GET', '/auth/profile', { token: accessToken })).status).toBe(401);
	});

	test('ends 14 days after the last exchange, and 90 days after the sign-in whatever happens', async () => {
		const forgotten = await auth.member();
		let tokens: Tokens = await auth.member();
		auth.clock.advance(14 * dayMs - 1);
		tokens = (await refresh(tokens.refreshToken)).data;
		auth.clock.advance(1);
		expect(await isRefused(forgotten.refreshToken)).toBe(true);
		for (let day = 14; day < 84; day += 14) {
			tokens = (await refresh(tokens.refreshToken)).data;
			auth.clock.advance(14 * dayMs - 1);
		}
		const last = await refresh(tokens.refreshToken);
		expect(last.data.refreshExpiresIn).toBeLessThanOrEqual(6 * 86_400 + 1);
		auth.clock.advance(6 * dayMs + 10);
		expect(await isRefused(last.data.refreshToken)).toBe(true);
	});

	test('reads roles and status again', async () => {
		const { id, refreshToken } = await auth.member();
		const { db } = auth.deps;
		await db
			.updateTable('users')
			.set({ roles: ['MEMBER', 'ORGANISER'] })
			.where('id', '=', id)
			.execute();
		const promoted = await refresh(refreshToken);
		const claims = JSON.parse(
			Buffer.from(promoted.data.accessToken.split('.')[1] ?? '', 'base64url').toString(),
		);
		expect(claims.roles).toEqual(['MEMBER', 'ORGANISER']);
		await db.updateTable('users').set({ status: 'SUSPENDED' }).where('id', '=', id).execute();
		expect(await isRefused(promoted.data.refreshToken)).toBe(true);
	});

	test.each([
		['one that never was', 'A'.repeat(43)],
		['an access token', undefined],
	])('refuses %s', async (_name, made) => {
		const { accessToken } = await auth.member();
		expect(await isRefused(made ?? accessToken)).toBe(true);
	});

	test('refuses a body of another shape', async () => {
		const response = await call('POST', '/auth/refresh', { body: { refreshToken: 5, userId: 'x' } });
		expect(response.status).toBe(400);
		expect(response.data.errors?.map((error) => error.field).sort()).toEqual(['refreshToken', 'userId']);
	});
});

describe('maintenance', () => {
	test('removes ended sessions and keeps active ones', async () => {
		const over = await auth.member();
		const ended = await auth.member();
		// While the last access token may live, the session of it can still be revoked.
		auth.clock.advance(14 * dayMs + revocationKeptMs);
		const alive = await auth.member();
		await call('POST', '/auth/logout', { token: (await auth.signIn(ended)).accessToken });
		await auth.deps.maintenance.run();
		const rows = await auth.deps.db.selectFrom('sessions').select('userId').execute();
		const left = rows.map((row) => row.userId);
		expect(left).toContain(alive.id);
		expect(left).not.toContain(over.id);
		expect(left).not.toContain(ended.id);
		expect(await isRefused(alive.refreshToken)).toBe(false);
	});

	test('removes failures that no longer count', async () => {
		const body = { email: 'nobody@example.org', password: 'x' };
		await call('POST', '/auth/login', { body, headers: ownAddress() });
		const count = async () => (await auth.deps.db.selectFrom('signInFailures').select('id').execute()).length;
		await auth.deps.maintenance.run();
		expect(await count()).toBeGreaterThan(0);
		auth.clock.advance(15 * 60_000);
		await auth.deps.maintenance.run();
		expect(await count()).toBe(0);
	});
});
