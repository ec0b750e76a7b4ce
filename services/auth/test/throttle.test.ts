import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createMovingClock, type TestFailure, type TestResponse } from '@paddock/testing';
import { sql } from 'kysely';
import { goodPassword, ownAddress, type RunningAuth, runAuth } from './running-auth.ts';

let auth: RunningAuth;
let beside: RunningAuth;

beforeAll(async () => {
	auth = await runAuth();
	beside = await runAuth({ beside: auth });
});
afterAll(async () => {
	await beside.close();
	await auth.close();
});

const minuteMs = 60_000;

function login(
	email: string,
	password: string,
	headers: Readonly<Record<string, string>> = ownAddress(),
	through = auth,
): Promise<TestResponse<TestFailure>> {
	return through.call('POST', '/auth/login', { body: { email, password }, headers });
}

const seen = (response: TestResponse<TestFailure>) => [response.status, response.headers.get('Retry-After')];

describe.each([
	['an account', async () => (await auth.register()).email],
	['an unknown address', async () => `nobody-${Math.random()}@example.org`],
])('failures at %s', (_name, someEmail) => {
	test('go free four times, then cost 1, 2, 4, 8, 16 seconds, then 15 minutes', async () => {
		const email = await someEmail();
		for (let failure = 1; failure <= 5; failure++)
			expect(seen(await login(email, 'wrong'))).toEqual([401, null]);
		for (const delayS of [1, 2, 4, 8, 16]) {
			expect(seen(await login(email, goodPassword))).toEqual([429, String(delayS)]);
			auth.clock.advance(delayS * 1_000 - 1);
			expect(seen(await login(email, goodPassword))).toEqual([429, '1']);
			auth.clock.advance(1);
			expect(seen(await login(email, 'wrong'))).toEqual([401, null]);
		}
		const locked = await login(email, goodPassword);
		expect([locked.data.code, ...seen(locked)]).toEqual(['ACCOUNT_LOCKED', 423, '900']);
		auth.clock.advance(15 * minuteMs - 1);
		expect((await login(email, goodPassword)).status).toBe(423);
		auth.clock.advance(1);
		expect(seen(await login(email, 'wrong'))).toEqual([401, null]);
		expect(seen(await login(email, 'wrong'))).toEqual([401, null]);
	});
});

describe('an account', () => {
	test('is open again after the lock', async () => {
		const { email } = await auth.register();
		for (let failure = 1; failure <= 10; failure++) {
			expect((await login(email, 'wrong')).status).toBe(401);
			auth.clock.advance(17_000);
		}
		expect((await login(email, goodPassword)).status).toBe(423);
		auth.clock.advance(15 * minuteMs);
		expect((await login(email, goodPassword)).status).toBe(200);
	});

	test('forgets failures with a success, from any address', async () => {
		const { email } = await auth.register();
		const address = ownAddress();
		for (let round = 1; round <= 4; round++) {
			for (let failure = 1; failure <= 4; failure++)
				expect((await login(email, 'wrong', address)).status).toBe(401);
			expect((await login(email, goodPassword, ownAddress())).status).toBe(200);
			expect((await login(email, goodPassword, address)).status).toBe(200);
		}
	});

	test('is delayed for all client addresses, on all instances together', async () => {
		const { email } = await auth.register();
		for (let failure = 1; failure <= 5; failure++)
			expect((await login(email, 'wrong', ownAddress(), failure % 2 === 0 ? auth : beside)).status).toBe(401);
		expect((await login(email, 'wrong', ownAddress(), auth)).status).toBe(429);
		expect((await login(email, 'wrong', ownAddress(), beside)).status).toBe(429);
	});

	test('verifies no more guesses when they are concurrent', async () => {
		const { email } = await auth.register();
		const responses = await Promise.all(
			Array.from({ length: 30 }, (_, index) =>
				login(email, 'wrong', ownAddress(), index % 2 === 0 ? auth : beside),
			),
		);
		const statuses = responses.map((response) => response.status);
		expect(statuses.filter((status) => status === 401)).toHaveLength(5);
		expect(statuses.filter((status) => status === 429)).toHaveLength(25);
	});

	test('is not blamed for attempts that could not be decided', async () => {
		const { email } = await auth.register();
		const { db } = auth.deps;
		await sql`alter table users rename to users_away`.execute(db);
		try {
			for (let attempt = 1; attempt <= 11; attempt++)
				expect((await login(email, goodPassword)).status).toBe(500);
		} finally {
			await sql`alter table users_away rename to users`.execute(db);
		}
		expect((await login(email, goodPassword)).status).toBe(200);
	});

	test('that is closed is not disclosed, even with its password', async () => {
		const { email, id } = await auth.register();
		await auth.deps.db.updateTable('users').set({ status: 'CLOSED' }).where('id', '=', id).execute();
		for (let failure = 1; failure <= 5; failure++)
			expect((await login(email, goodPassword)).status).toBe(401);
		expect((await login(email, goodPassword)).status).toBe(429);
	});

	test('admits ten concurrent sign-ins of its owner', async () => {
		const { email } = await auth.register();
		const address = ownAddress();
		const responses = await Promise.all(
			Array.from({ length: 10 }, () => login(email, goodPassword, address)),
		);
		expect(responses.map((response) => response.status)).toEqual(Array(10).fill(200));
	});
});

describe('a client address', () => {
	const quarterMs = 15 * minuteMs;
	let accounts = 0;
	const attempt = (address: Readonly<Record<string, string>>) =>
		login(`victim-${++accounts}@example.org`, 'Sommer-in-Wien', address);

	test('may fail a hundred times in a quarter of an hour, whatever accounts it tries', async () => {
		const address = ownAddress();
		expect((await attempt(address)).status).toBe(401);
		auth.clock.advance(minuteMs);
		for (let failure = 2; failure <= 100; failure++) expect((await attempt(address)).status).toBe(401);
		const limited = await attempt(address);
		expect([limited.data.code, ...seen(limited)]).toEqual(['RATE_LIMITED', 429, '840']);
		expect((await attempt(ownAddress())).status).toBe(401);
		// The window slides: the first failure has left it, the others have not.
		auth.clock.advance(quarterMs - minuteMs);
		expect((await attempt(address)).status).toBe(401);
		expect(seen(await attempt(address))).toEqual([429, '60']);
	});

	test('at its limit still admits the devices that are known', async () => {
		const person = await auth.member();
		const address = ownAddress();
		for (let failure = 1; failure <= 100; failure++) await attempt(address);
		expect((await login(person.email, goodPassword, address)).status).toBe(429);
		const known = { ...address, 'X-Device-Token': person.deviceToken };
		expect((await login(person.email, goodPassword, known)).status).toBe(200);
	});

	test('is not forgiven other accounts by a success at one', async () => {
		const address = ownAddress();
		const { email } = await auth.register();
		for (let failure = 1; failure <= 99; failure++) await attempt(address);
		expect((await login(email, goodPassword, address)).status).toBe(200);
		expect((await attempt(address)).status).toBe(401);
		expect((await attempt(address)).status).toBe(429);
	});

	test('is that of the whole subscriber with IPv6', async () => {
		const from = (host: string) => ({ 'X-Forwarded-For': `2001:db8:77:1::${host}` });
		for (let failure = 1; failure <= 100; failure++) await attempt(from(String(failure)));
		expect((await attempt(from('ffff'))).status).toBe(429);
	});
});

// Failures of an instance whose clock was ahead, or before the clock was set back, delayed even those who had typed one wrong
// password, for as long as the clocks differed.
describe('failures of later than now', () => {
	let behind: RunningAuth;
	beforeAll(async () => {
		const hourAgo = new Date(auth.clock.now().getTime() - 60 * minuteMs);
		behind = await runAuth({ beside: auth, clock: createMovingClock(hourAgo) });
	});
	afterAll(() => behind.close());

	test('do not delay the owner', async () => {
		const { email } = await auth.register();
		expect((await login(email, 'wrong')).status).toBe(401);
		expect(seen(await login(email, goodPassword, ownAddress(), behind))).toEqual([200, null]);
	});

	test('lock the account with the next failure, for as long as any lock', async () => {
		const { email } = await auth.register();
		for (let failure = 1; failure <= 10; failure++) {
			expect((await login(email, 'wrong')).status).toBe(401);
			auth.clock.advance(17_000);
		}
		expect(seen(await login(email, 'wrong', ownAddress(), behind))).toEqual([401, null]);
		expect(seen(await login(email, goodPassword, ownAddress(), behind))).toEqual([423, '900']);
		expect((await login(email, goodPassword)).status).toBe(423);
	});

	test('do not count for the address', async () => {
		const address = ownAddress();
		const attempt = (number: number, through: RunningAuth) =>
			login(`later-${number}@example.org`, 'Sommer-in-Wien', address, through);
		for (let failure = 1; failure <= 100; failure++) await attempt(failure, auth);
		expect((await attempt(101, auth)).status).toBe(429);
		expect((await attempt(102, behind)).status).toBe(401);
	});
});

test('the failures are stored without the address that was typed', async () => {
	await login('my-secret-by-mistake@example.org', 'x', { 'X-Forwarded-For': '10.9.8.7' });
	const rows = await auth.deps.db.selectFrom('signInFailures').selectAll().execute();
	expect(rows.length).toBeGreaterThan(0);
	expect(JSON.stringify(rows)).not.toContain('my-secret');
	expect(JSON.stringify(rows)).not.toContain('10.9.8.7');
});
