import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
	accountSubject,
	createRevocationList,
	type Principal,
	type RevocationPage,
	revocationKeptMs,
	sessionSubject,
} from '@paddock/identity';
import { eventually, startStopwatch, waitingForLocks } from '@paddock/testing';
import { sql } from 'kysely';
import { goodPassword, type RunningAuth, runAuth, type Tokens } from './running-auth.ts';

let auth: RunningAuth;
let beside: RunningAuth;
let call: RunningAuth['call'];
let administrator: Awaited<ReturnType<RunningAuth['administrator']>>;

beforeAll(async () => {
	auth = await runAuth();
	beside = await runAuth({ beside: auth });
	({ call } = auth);
	administrator = await auth.administrator();
});
afterAll(async () => {
	await beside.close();
	await auth.close();
});

function claimsOf(token: string): Pick<Principal, 'userId' | 'sessionId' | 'accountVersion'> {
	const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
	return { userId: claims.sub, sessionId: claims.sid, accountVersion: claims.accountVersion };
}

async function pageAfter(after?: string, waitMs = 0, through = auth): Promise<RevocationPage> {
	const query = after === undefined ? '' : `?after=${after}&waitMs=${waitMs}`;
	const { status, data, text } = await through.call<RevocationPage>('GET', `/internal/revocations${query}`);
	if (status !== 200) throw new Error(text);
	return data;
}

/** What a verifier that follows the feed makes of tokens now. */
async function verdict(...tokens: string[]): Promise<boolean[]> {
	const list = createRevocationList(auth.clock);
	list.add((await pageAfter()).items);
	return tokens.map((token) => list.isRevoked(claimsOf(token)));
}

async function put(id: string, what: 'status' | 'roles', body: object) {
	// Tests move the clock past the life of tokens.
	const { accessToken: token } = await auth.signIn(administrator);
	return call('PUT', `/auth/users/${id}/${what}`, { token, body });
}
const refresh = (refreshToken: string) => call<Tokens>('POST', '/auth/refresh', { body: { refreshToken } });

describe('the feed revokes', () => {
	test.each(['LOCKED', 'SUSPENDED', 'CLOSED'])(
		'every token of an account that becomes %s',
		async (status) => {
			const person = await auth.member();
			const second = await auth.signIn(person);
			expect(await verdict(person.accessToken, second.accessToken)).toEqual([false, false]);
			expect((await put(person.id, 'status', { status })).status).toBe(200);
			expect(await verdict(person.accessToken, second.accessToken)).toEqual([true, true]);
			await put(person.id, 'status', { status: 'ACTIVE' });
			expect(await verdict((await auth.signIn(person)).accessToken)).toEqual([false]);
		},
	);

	// All of it happens within one second of the clock, as `iat` counts it.
	test.each<[string, object]>([
		['roles', { roles: ['MEMBER', 'FEDERATION_OFFICER'] }],
		['scopes', { roles: ['MEMBER', 'ORGANISER'], roleScopes: { ORGANISER: { clubIds: [randomUUID()] } } }],
		['member', { roles: ['MEMBER'], memberId: randomUUID() }],
	])('tokens from before a change of %s, and none from after it', async (_what, body) => {
		const person = await auth.member();
		const before = await refresh(person.refreshToken);
		expect((await put(person.id, 'roles', body)).status).toBe(200);
		const after = await refresh(before.data.refreshToken);
		expect(await verdict(person.accessToken, before.data.accessToken)).toEqual([true, true]);
		expect(await verdict(after.data.accessToken)).toEqual([false]);
		expect((await put(person.id, 'roles', body)).status).toBe(200);
		expect(await verdict(after.data.accessToken)).toEqual([false]);
	});

	test('the tokens of every other session when the password changes', async () => {
		const person = await auth.member();
		const other = await auth.signIn(person);
		const body = { currentPassword: goodPassword, newPassword: 'another bucket of oats' };
		const { status } = await call('POST', '/auth/change-password', { token: person.accessToken, body });
		expect(status).toBe(200);
		expect(await verdict(other.accessToken, person.accessToken)).toEqual([true, false]);
		expect(await verdict((await refresh(person.refreshToken)).data.accessToken)).toEqual([false]);
	});

	test('the tokens of a session that its user ends, once', async () => {
		const person = await auth.member();
		const other = await auth.signIn(person);
		for (let times = 0; times < 2; times += 1)
			expect((await call('POST', '/auth/logout', { token: person.accessToken })).status).toBe(200);
		expect(await verdict(person.accessToken, other.accessToken)).toEqual([true, false]);
		const { items } = await pageAfter();
		const subject = sessionSubject(claimsOf(person.accessToken).sessionId);
		expect(items.filter((item) => item.subject === subject)).toHaveLength(1);
	});

	test('the tokens of a session that a reused refresh token ends', async () => {
		const person = await auth.member();
		const next = await refresh(person.refreshToken);
		auth.clock.advance(11_000);
		expect((await refresh(person.refreshToken)).status).toBe(401);
		expect(await verdict(person.accessToken, next.data.accessToken)).toEqual([true, true]);
	});

	test('nothing when a change fails or concerns what no token shows', async () => {
		const person = await auth.member();
		const { next } = await pageAfter();
		expect((await put(person.id, 'status', { status: 'ASLEEP' })).status).toBe(400);
		expect((await put(person.id, 'roles', { roles: ['MEMBER'] })).status).toBe(200);
		const names = { firstName: 'Änne', lastName: 'Huber', phoneNumber: null, locale: 'de-AT' };
		await call('PUT', '/auth/profile', { token: person.accessToken, body: names });
		expect((await pageAfter(next)).items).toEqual([]);
	});

	test('a token that is issued while the change waits for its session', async () => {
		const person = await auth.member();
		const { db } = auth.deps;
		const closing = await db.transaction().execute(async (transaction) => {
			const { sessionId } = claimsOf(person.accessToken);
			const session = transaction.selectFrom('sessions').select('id').where('id', '=', sessionId);
			await session.forUpdate().executeTakeFirstOrThrow();
			const closed = put(person.id, 'status', { status: 'CLOSED' });
			await eventually('the change waits', async () => (await waitingForLocks(transaction)) === 1);
			return { closed };
		});
		const refreshed = await refresh(person.refreshToken);
		expect((await closing.closed).status).toBe(200);
		if (refreshed.status === 200) expect(await verdict(refreshed.data.accessToken)).toEqual([true]);
		expect(await verdict(person.accessToken)).toEqual([true]);
	});
});

describe('GET /internal/revocations', () => {
	test('discloses neither accounts nor sessions', async () => {
		const person = await auth.member();
		await put(person.id, 'status', { status: 'CLOSED' });
		const { text } = await call('GET', '/internal/revocations');
		expect(text).toContain(accountSubject(person.id));
		for (const id of [person.id, claimsOf(person.accessToken).sessionId]) expect(text).not.toContain(id);
	});

	test('with a cursor returns what came since, from every instance, and waits for it', async () => {
		const { next } = await pageAfter();
		const person = await auth.member();
		const waiting = [pageAfter(next, 10_000), pageAfter(next, 10_000, beside)];
		await call('POST', '/auth/logout', { token: person.accessToken });
		const item = { subject: sessionSubject(claimsOf(person.accessToken).sessionId), before: null };
		for (const page of await Promise.all(waiting)) expect(page).toMatchObject({ items: [item], more: false });
	});

	test('ends a wait without a revocation with an empty page', async () => {
		const { next } = await pageAfter();
		expect(await pageAfter(next, 300)).toEqual({ items: [], next, more: false });
	});

	test('returns everything for a cursor that it can’t have given out', async () => {
		const all = await pageAfter();
		expect(all.items.length).toBeGreaterThan(0);
		for (const cursor of ['x', `${randomUUID()}.3`, `${all.next}99999`, `${all.next.split('.')[0]}.-1`])
			expect(await pageAfter(cursor, 10_000)).toEqual(all);
	});

	test('refuses other parameters', async () => {
		for (const query of ['waitMs=-1', 'waitMs=30001', 'after=', 'since=1'])
			expect((await call('GET', `/internal/revocations?${query}`)).status).toBe(400);
	});

	// Positions that became visible out of order would be skipped by a reader that has the later one already.
	test('misses none of many at once, read by a follower meanwhile', async () => {
		const people = await Promise.all(Array.from({ length: 20 }, () => auth.member()));
		let { next } = await pageAfter();
		const seen = new Set<string>();
		const ending = Promise.all(
			people.map(({ accessToken }, index) =>
				(index % 2 === 0 ? auth : beside).call('POST', '/auth/logout', { token: accessToken }),
			),
		);
		const subjects = people.map(({ accessToken }) => sessionSubject(claimsOf(accessToken).sessionId));
		await eventually('all have arrived', async () => {
			const page = await pageAfter(next, 500);
			next = page.next;
			for (const { subject } of page.items) seen.add(subject);
			return subjects.every((subject) => seen.has(subject));
		});
		await ending;
	});

	test('splits what a newcomer reads into pages, none left out', async () => {
		const crowded = await runAuth();
		try {
			await sql`insert into revocations select n, n::text, null, now() from generate_series(1, 5001) n`.execute(
				crowded.deps.db,
			);
			await sql`update revocation_feed set last = 5001`.execute(crowded.deps.db);
			const first = await pageAfter(undefined, 0, crowded);
			expect([first.items.length, first.more]).toEqual([5_000, true]);
			const second = await pageAfter(first.next, 10_000, crowded);
			expect(second.items).toEqual([{ subject: '5001', before: null }]);
			expect(second.more).toBe(false);
			expect((await pageAfter(second.next, 0, crowded)).items).toEqual([]);
		} finally {
			await crowded.close();
		}
	});

	// A follower always waits; without this each stop of auth would take as long as a wait.
	test('ends the waits of its followers when the service stops', async () => {
		const stopping = await runAuth({ beside: auth });
		try {
			const { next } = await pageAfter(undefined, 0, stopping);
			const waiting = pageAfter(next, 20_000, stopping);
			const elapsedMs = startStopwatch();
			stopping.deps.revocationFeed.close();
			expect((await waiting).items).toEqual([]);
			expect(elapsedMs()).toBeLessThan(2_000);
		} finally {
			await stopping.close();
		}
	});

	test('keeps a revocation until its tokens have expired', async () => {
		const person = await auth.member();
		await call('POST', '/auth/logout', { token: person.accessToken });
		auth.clock.advance(revocationKeptMs);
		await auth.deps.maintenance.run();
		expect(await verdict(person.accessToken)).toEqual([true]);
		auth.clock.advance(120_000);
		await auth.deps.maintenance.run();
		expect((await pageAfter()).items).toEqual([]);
	});
});

describe('GET /internal/session', () => {
	const isLive = async (token?: string) =>
		(await call<{ live: boolean }>('GET', '/internal/session', { token })).data;

	test('says that a token shows the account as it is', async () => {
		const { accessToken } = await auth.administrator();
		expect(await isLive(accessToken)).toEqual({ live: true });
	});

	test('says so no longer once the session is over, the account closed or its roles changed', async () => {
		const [left, closed, demoted] = await Promise.all([auth.member(), auth.member(), auth.administrator()]);
		await call('POST', '/auth/logout', { token: left.accessToken });
		await put(closed.id, 'status', { status: 'CLOSED' });
		await auth.deps.db
			.updateTable('users')
			.set({ roles: ['MEMBER'] })
			.where('id', '=', demoted.id)
			.execute();
		for (const { accessToken } of [left, closed, demoted])
			expect(await isLive(accessToken)).toEqual({ live: false });
		const current = await refresh(demoted.refreshToken);
		expect(await isLive(current.data.accessToken)).toEqual({ live: true });
	});

	test('says so of no token and of none that is not valid', async () => {
		expect(await isLive()).toEqual({ live: false });
		expect(await isLive('x.y.z')).toEqual({ live: false });
	});
});
