import { describe, expect, test } from '@jest/globals';
import type { TestFailure, TestResponse } from '@paddock/testing';
import { goodPassword, ownAddress, type Person, type Tokens, useAuth } from './running-auth.ts';

const secondMs = 1_000;
const dayMs = 86_400_000;

const auth = useAuth({ settings: { DEVICES_PER_ACCOUNT_MAX: '3' } });

function login(
	email: string,
	password: string,
	deviceToken?: string,
): Promise<TestResponse<Tokens & TestFailure>> {
	const headers = {
		...ownAddress(),
		...(deviceToken === undefined ? {} : { 'X-Device-Token': deviceToken }),
	};
	return auth.call('POST', '/auth/login', { body: { email, password }, headers });
}

const devicesOf = ({ id }: Person) =>
	auth.deps.db.selectFrom('devices').selectAll().where('userId', '=', id).orderBy('createdAt').execute();

/** Strangers lock the account. */
async function lockOut({ email }: Person): Promise<void> {
	for (let failure = 1; failure <= 10; failure++) {
		expect((await login(email, 'wrong')).status).toBe(401);
		auth.clock.advance(17 * secondMs);
	}
	expect((await login(email, goodPassword)).status).toBe(423);
}

describe('an attacker with 200 addresses and the right e-mail', () => {
	test('gets no more than the limit, and the owner signs in on the known device throughout', async () => {
		const owner = await auth.member();
		const addresses = Array.from({ length: 200 }, (_, index) => ({
			'X-Forwarded-For': `198.51.${100 + Math.floor(index / 100)}.${1 + (index % 100)}`,
		}));
		let judged = 0;
		let sent = 0;
		const minutes = 14;
		for (let second = 0; second < minutes * 60; second += 3) {
			// Ten guesses at once every three seconds, each from the next address.
			const responses = await Promise.all(
				Array.from({ length: 10 }, () => {
					sent += 1;
					const body = { email: owner.email, password: `guess number ${sent}` };
					const headers = addresses[sent % addresses.length] ?? {};
					return auth.call('POST', '/auth/login', { body, headers });
				}),
			);
			for (const { status } of responses) {
				expect([401, 423, 429]).toContain(status);
				if (status === 401) judged += 1;
			}
			if (second % 60 === 0)
				expect((await login(owner.email, goodPassword, owner.deviceToken)).status).toBe(200);
			auth.clock.advance(3 * secondMs);
		}
		expect(sent).toBe(2_800);
		// Successes of the owner don't give the attacker new guesses.
		expect(judged).toBe(10);
		expect((await login(owner.email, goodPassword)).status).toBe(423);
	}, 120_000);
});

describe('a known device', () => {
	test('has a lock of its own, which affects no other device', async () => {
		const owner = await auth.member();
		const phone = await auth.signIn(owner);
		for (let failure = 1; failure <= 10; failure++) {
			expect((await login(owner.email, 'wrong', owner.deviceToken)).status).toBe(401);
			auth.clock.advance(17 * secondMs);
		}
		const locked = await login(owner.email, goodPassword, owner.deviceToken);
		expect([locked.status, locked.data.code]).toEqual([423, 'ACCOUNT_LOCKED']);
		expect(Number(locked.headers.get('Retry-After'))).toBeGreaterThan(800);
		expect((await login(owner.email, goodPassword, phone.deviceToken)).status).toBe(200);
		expect((await login(owner.email, goodPassword)).status).toBe(200);
		auth.clock.advance(15 * 60 * secondMs);
		expect((await login(owner.email, goodPassword, owner.deviceToken)).status).toBe(200);
	});

	test('is delayed from the fifth failure on like everyone, and forgives with a success', async () => {
		const owner = await auth.member();
		for (let failure = 1; failure <= 5; failure++) await login(owner.email, 'wrong', owner.deviceToken);
		const delayed = await login(owner.email, goodPassword, owner.deviceToken);
		expect([delayed.status, delayed.headers.get('Retry-After')]).toEqual([429, '1']);
		auth.clock.advance(secondMs);
		expect((await login(owner.email, goodPassword, owner.deviceToken)).status).toBe(200);
		for (let failure = 1; failure <= 5; failure++)
			expect((await login(owner.email, 'wrong', owner.deviceToken)).status).toBe(401);
	});

	test('keeps its token; a first sign-in, an unknown token and a malformed one get a new one', async () => {
		const owner = await auth.member();
		expect(owner.deviceToken).toMatch(/^[\w-]{43}$/);
		expect((await auth.signIn(owner, owner.deviceToken)).deviceToken).toBe(owner.deviceToken);
		for (const token of ['A'.repeat(43), 'x', `${owner.deviceToken},${owner.deviceToken}`]) {
			const { deviceToken } = await auth.signIn(owner, token);
			expect([token, owner.deviceToken]).not.toContain(deviceToken);
		}
	});

	test('is known to its own account only', async () => {
		const [owner, other] = [await auth.member(), await auth.member()];
		await lockOut(owner);
		expect((await login(owner.email, goodPassword, other.deviceToken)).status).toBe(423);
		expect((await login(owner.email, goodPassword, owner.deviceToken)).status).toBe(200);
	});

	test('is stored as a digest, and the response of a refresh does not repeat its token', async () => {
		const owner = await auth.member();
		const rows = await devicesOf(owner);
		expect(rows.map((row) => row.tokenHash.length)).toEqual([32]);
		expect(JSON.stringify(rows)).not.toContain(owner.deviceToken);
		const body = { refreshToken: owner.refreshToken };
		expect((await auth.call('POST', '/auth/refresh', { body })).text).not.toContain('deviceToken');
	});
});

describe('known devices', () => {
	test('are bounded per account: the one that signed in longest ago is forgotten', async () => {
		const owner = await auth.register();
		const tokens: string[] = [];
		for (let device = 1; device <= 3; device++) {
			tokens.push((await auth.signIn(owner)).deviceToken);
			auth.clock.advance(secondMs);
		}
		await auth.signIn(owner, tokens[0]);
		await auth.signIn(owner);
		expect(await devicesOf(owner)).toHaveLength(3);
		await lockOut(owner);
		const statuses = [];
		for (const token of tokens) statuses.push((await login(owner.email, goodPassword, token)).status);
		expect(statuses).toEqual([200, 423, 200]);
	});

	test('in use are not displaced by any number of new ones, and the newest one is kept', async () => {
		const owner = await auth.register();
		const inUse: string[] = [];
		for (let device = 1; device <= 3; device++) inUse.push((await auth.signIn(owner)).deviceToken);
		auth.clock.advance(secondMs);
		for (const token of inUse) {
			auth.clock.advance(secondMs);
			await auth.signIn(owner, token);
		}
		const newest = { deviceToken: '' };
		for (let device = 1; device <= 5; device++) {
			auth.clock.advance(secondMs);
			newest.deviceToken = (await auth.signIn(owner)).deviceToken;
		}
		expect(await devicesOf(owner)).toHaveLength(3);
		await lockOut(owner);
		const statuses = [];
		for (const token of [...inUse, newest.deviceToken])
			statuses.push((await login(owner.email, goodPassword, token)).status);
		expect(statuses).toEqual([423, 200, 200, 200]);
	});

	test('are as bounded when they sign in all at once', async () => {
		const owner = await auth.register();
		await Promise.all(Array.from({ length: 8 }, () => auth.signIn(owner)));
		expect(await devicesOf(owner)).toHaveLength(3);
	});

	test('stay known for 180 days after their last sign-in, then maintenance removes them', async () => {
		const owner = await auth.member();
		auth.clock.advance(179 * dayMs);
		await auth.signIn(owner, owner.deviceToken);
		auth.clock.advance(180 * dayMs - 1);
		await auth.deps.maintenance.run();
		expect(await devicesOf(owner)).toHaveLength(1);
		auth.clock.advance(1);
		expect((await auth.signIn(owner, owner.deviceToken)).deviceToken).not.toBe(owner.deviceToken);
		await auth.deps.maintenance.run();
		expect(await devicesOf(owner)).toHaveLength(1);
	});

	test('other than the one in use are forgotten when the password changes', async () => {
		const owner = await auth.member();
		const phone = await auth.signIn(owner);
		const newPassword = 'a quiet box in the shade';
		const body = { currentPassword: goodPassword, newPassword };
		const response = await auth.call('POST', '/auth/change-password', { token: phone.accessToken, body });
		expect(response.status).toBe(200);
		await lockOut({ ...owner, password: newPassword });
		expect((await login(owner.email, newPassword, owner.deviceToken)).status).toBe(423);
		expect((await login(owner.email, newPassword, phone.deviceToken)).status).toBe(200);
	});

	test.each(['LOCKED', 'SUSPENDED', 'CLOSED'])(
		'are forgotten when the account becomes %s',
		async (status) => {
			const owner = await auth.member();
			const { accessToken: token } = await auth.administrator();
			await auth.call('PUT', `/auth/users/${owner.id}/status`, { token, body: { status } });
			expect(await devicesOf(owner)).toEqual([]);
		},
	);

	test('survive signing out', async () => {
		const owner = await auth.member();
		await auth.call('POST', '/auth/logout', { token: owner.accessToken });
		await lockOut(owner);
		expect((await login(owner.email, goodPassword, owner.deviceToken)).status).toBe(200);
	});
});

test('the failures of known devices are removed when they no longer count', async () => {
	const owner = await auth.member();
	await login(owner.email, 'wrong', owner.deviceToken);
	const failures = () => auth.deps.db.selectFrom('signInFailures').selectAll().execute();
	expect((await failures()).some((row) => row.addressKey === null)).toBe(true);
	auth.clock.advance(15 * 60 * secondMs);
	await auth.deps.maintenance.run();
	expect(await failures()).toEqual([]);
});
