import { beforeAll, describe, expect, test } from '@jest/globals';
import { goodPassword, ownAddress, type Person, runAuth, useAuth } from './running-auth.ts';

const auth = useAuth();
const { call } = auth;
let token: string;

beforeAll(async () => {
	token = (await auth.administrator()).accessToken;
});

const login = ({ email }: Person, password: string, headers: Readonly<Record<string, string>> = {}) =>
	call('POST', '/auth/login', { body: { email, password }, headers: { ...ownAddress(), ...headers } });

async function fail(times: number, attempt: () => Promise<unknown>): Promise<void> {
	for (let failure = 1; failure <= times; failure++) {
		await attempt();
		auth.clock.advance(17_000);
	}
}

const unknownId = '00000000-0000-4000-8000-000000000000';

describe('POST /auth/users/{id}/release', () => {
	const release = (id: string, by: string | undefined = token) =>
		call<{ code?: string; failures: number }>('POST', `/auth/users/${id}/release`, { token: by });

	test('opens the account to unknown devices, to the locked device and the locked session', async () => {
		const owner = await auth.member();
		const known = { 'X-Device-Token': owner.deviceToken };
		const change = (currentPassword: string) =>
			call('POST', '/auth/change-password', {
				token: owner.accessToken,
				body: { currentPassword, newPassword: 'a quiet box in the shade' },
			});
		await fail(10, () => login(owner, 'wrong'));
		await fail(10, () => login(owner, 'wrong', known));
		await fail(10, () => change('wrong'));
		expect((await login(owner, goodPassword)).status).toBe(423);
		expect((await login(owner, goodPassword, known)).status).toBe(423);
		expect((await change(goodPassword)).status).toBe(423);

		const response = await release(owner.id);
		expect(response.status).toBe(200);
		expect(response.data).toEqual({
			userId: owner.id,
			failures: 30,
			releasedAt: auth.clock.now().toISOString(),
		});
		expect((await login(owner, goodPassword)).status).toBe(200);
		expect((await login(owner, goodPassword, known)).status).toBe(200);
		expect((await change(goodPassword)).status).toBe(200);
		expect((await release(owner.id)).data.failures).toBe(0);
	});

	test('leaves other accounts and the limit of the client address as they are', async () => {
		const small = await runAuth({ beside: auth, settings: { SIGN_IN_ADDRESS_FAILURES_MAX: '3' } });
		try {
			const [owner, other] = [await auth.register(), await auth.register()];
			await fail(10, () => login(other, 'wrong'));
			const address = ownAddress();
			const from = (person: Person, password: string) =>
				small.call('POST', '/auth/login', { body: { email: person.email, password }, headers: address });
			await fail(3, () => from(owner, 'wrong'));
			expect((await release(owner.id)).data.failures).toBe(3);
			expect((await from(owner, goodPassword)).status).toBe(429);
			expect((await login(other, goodPassword)).status).toBe(423);
			expect((await login(owner, goodPassword)).status).toBe(200);
		} finally {
			await small.close();
		}
	});

	test('is for current administrators; 404 for an unknown account', async () => {
		const person = await auth.member();
		expect((await release(person.id, '')).status).toBe(401);
		expect((await release(person.id, person.accessToken)).status).toBe(403);
		expect((await release(unknownId)).status).toBe(404);
		const dismissed = await auth.administrator();
		await auth.deps.db
			.updateTable('users')
			.set({ roles: ['MEMBER'] })
			.where('id', '=', dismissed.id)
			.execute();
		expect((await release(person.id, dismissed.accessToken)).status).toBe(403);
	});

	test('does not reopen what an administrator has locked', async () => {
		const person = await auth.register();
		await auth.deps.db.updateTable('users').set({ status: 'LOCKED' }).where('id', '=', person.id).execute();
		await release(person.id);
		expect((await login(person, goodPassword)).status).toBe(423);
	});
});

test('attempts, locks, releases and the queue are metrics', async () => {
	const own = await runAuth({ settings: { SIGN_IN_ADDRESS_FAILURES_MAX: '12' } });
	try {
		const attempts = (source: string, outcome: string) =>
			own.metric('auth_sign_in_attempts_total', { source, outcome });
		const owner = await own.member();
		const address = ownAddress();
		const attempt = (headers = {}, email = owner.email) =>
			own.call('POST', '/auth/login', {
				body: { email, password: 'x' },
				headers: { ...address, ...headers },
			});
		for (let failure = 1; failure <= 10; failure++) {
			await attempt();
			own.clock.advance(17_000);
		}
		await attempt();
		await attempt({ 'X-Device-Token': owner.deviceToken });
		for (const host of ['a', 'b', 'c']) await attempt({}, `${host}@example.org`);
		expect(await attempts('unknownDevice', 'succeeded')).toBe(1);
		expect(await attempts('unknownDevice', 'failed')).toBe(12);
		expect(await attempts('unknownDevice', 'locked')).toBe(1);
		expect(await attempts('unknownDevice', 'addressLimited')).toBe(1);
		expect(await attempts('knownDevice', 'failed')).toBe(1);
		const locks = (subject: string) => own.metric('auth_sign_in_locks_total', { subject });
		expect(await Promise.all(['account', 'knownDevice', 'address'].map(locks))).toEqual([1, 0, 1]);
		expect(await own.metric('auth_password_queue_waiting', {})).toBe(0);
		const { accessToken } = await own.administrator();
		await own.call('POST', `/auth/users/${owner.id}/release`, { token: accessToken });
		expect(await own.metric('auth_account_releases_total', {})).toBe(1);
	} finally {
		await own.close();
	}
});
