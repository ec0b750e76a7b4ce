import { describe, expect, test } from '@jest/globals';
import { eventually, waitingForLocks } from '@paddock/testing';
import { goodPassword, ownAddress, type Tokens, useAuth } from './running-auth.ts';

const auth = useAuth();
const { call } = auth;

const refreshStatus = async ({ refreshToken }: Tokens) =>
	(await call('POST', '/auth/refresh', { body: { refreshToken } })).status;

describe('POST /auth/change-password', () => {
	const newPassword = 'a quiet box in the shade';
	const change = (token: string | undefined, body: object) =>
		call('POST', '/auth/change-password', { token, body, headers: ownAddress() });

	test('sets the new password and ends every other session', async () => {
		const person = await auth.register();
		const [here, there] = [await auth.signIn(person), await auth.signIn(person)];
		auth.clock.advance(1_000);
		const response = await call<Tokens['user']>('POST', '/auth/change-password', {
			token: here.accessToken,
			body: { currentPassword: goodPassword, newPassword },
			headers: ownAddress(),
		});
		expect(response.status).toBe(200);
		expect(response.data).toMatchObject({ passwordChangedAt: auth.clock.now().toISOString(), version: 2 });
		expect(response.headers.get('ETag')).toMatch(/^"2\./);
		expect(await refreshStatus(there)).toBe(401);
		expect(await refreshStatus(here)).toBe(200);
		await auth.signIn({ email: person.email, password: newPassword });
		await expect(auth.signIn(person)).rejects.toThrow('INVALID_CREDENTIALS');
	});

	test('requires the current password, and counts wrong ones for this session only', async () => {
		const person = await auth.member();
		const { accessToken } = person;
		for (let attempt = 1; attempt <= 5; attempt++) {
			const response = await change(accessToken, { currentPassword: 'wrong', newPassword });
			expect([response.status, response.data.code]).toEqual([400, 'CURRENT_PASSWORD_WRONG']);
		}
		const sixth = await change(accessToken, { currentPassword: goodPassword, newPassword });
		expect([sixth.status, sixth.data.code, sixth.headers.get('Retry-After')]).toEqual([
			429,
			'RATE_LIMITED',
			'1',
		]);
		const other = await auth.signIn(person);
		expect((await change(other.accessToken, { currentPassword: goodPassword, newPassword })).status).toBe(
			200,
		);
	});

	test('is refused for the current one, after that has been proven', async () => {
		const { accessToken } = await auth.member();
		const wrong = await change(accessToken, { currentPassword: newPassword, newPassword });
		expect([wrong.status, wrong.data.code]).toEqual([400, 'CURRENT_PASSWORD_WRONG']);
		const same = await change(accessToken, { currentPassword: goodPassword, newPassword: goodPassword });
		expect([same.status, same.data.code]).toEqual([400, 'PASSWORD_UNCHANGED']);
		// Passwords are compared in their normal form: these are the same one.
		const wide = 'u\u0308ber sieben blaue Bru\u0308cken';
		expect((await change(accessToken, { currentPassword: goodPassword, newPassword: wide })).status).toBe(
			200,
		);
		const composed = await change(accessToken, { currentPassword: wide, newPassword: wide.normalize('NFC') });
		expect([composed.status, composed.data.code]).toEqual([400, 'PASSWORD_UNCHANGED']);
		const decomposed = await change(accessToken, {
			currentPassword: wide.normalize('NFC'),
			newPassword: wide,
		});
		expect([decomposed.status, decomposed.data.code]).toEqual([400, 'PASSWORD_UNCHANGED']);
	});

	test('stays possible while others lock the account', async () => {
		const { accessToken, email } = await auth.member();
		for (let failure = 1; failure <= 10; failure++) {
			await call('POST', '/auth/login', { body: { email, password: 'wrong' }, headers: ownAddress() });
			auth.clock.advance(16_000);
		}
		const locked = { body: { email, password: goodPassword }, headers: ownAddress() };
		expect((await call('POST', '/auth/login', locked)).status).toBe(423);
		expect((await change(accessToken, { currentPassword: goodPassword, newPassword })).status).toBe(200);
	});

	test('of two at once one wins', async () => {
		const { accessToken } = await auth.member();
		auth.clock.advance(1_000);
		const responses = await Promise.all(
			['a quiet box in the shade', 'a noisy box in the sun'].map((password) =>
				change(accessToken, { currentPassword: goodPassword, newPassword: password }),
			),
		);
		expect(responses.map((response) => response.status).sort()).toEqual([200, 400]);
	});

	// The session was checked only before the hashes.
	test('changes nothing when the account is shut while the hashes are made', async () => {
		const { accessToken, id } = await auth.member();
		const { db } = auth.deps;
		const stored = () =>
			db.selectFrom('users').select('passwordHash').where('id', '=', id).executeTakeFirstOrThrow();
		const before = await stored();
		const late = await db.transaction().execute(async (transaction) => {
			await transaction.updateTable('users').set({ status: 'SUSPENDED' }).where('id', '=', id).execute();
			const response = change(accessToken, { currentPassword: goodPassword, newPassword });
			await eventually('the change waits', async () => (await waitingForLocks(db)) > 0);
			return { response };
		});
		expect((await late.response).data.code).toBe('TOKEN_REVOKED');
		expect(await stored()).toEqual(before);
	});

	test.each([
		['too short', 'short', 'INVALID_LENGTH'],
		['common', 'passwort12345', 'INVALID_FORMAT'],
		['the own name', 'huber rides a mare', 'INVALID_FORMAT'],
	])('refuses a new one that is %s, without looking at the current one', async (_name, password, code) => {
		const { accessToken } = await auth.member();
		const response = await change(accessToken, { currentPassword: 'wrong', newPassword: password });
		expect(response.status).toBe(400);
		expect(response.data.errors?.map((error) => [error.field, error.code])).toEqual([['newPassword', code]]);
	});

	test('needs a token', async () => {
		expect((await change(undefined, { currentPassword: 'x', newPassword })).status).toBe(401);
	});
});
