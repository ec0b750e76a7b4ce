import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type MailServer, type ReceivedMail, startMailServer } from '@paddock/testing';
import type { UserDto } from '../src/users/schemas.ts';
import {
	goodPassword,
	newPerson,
	ownAddress,
	type RunningAuth,
	runAuth,
	type Tokens,
} from './running-auth.ts';

let server: MailServer;
let auth: RunningAuth;
beforeAll(async () => {
	server = await startMailServer();
	const settings = { SMTP_URL: server.url, JOB_POLL_MS: '500', EMAIL_VERIFICATION: 'on' };
	auth = await runAuth({ settings });
});
afterAll(async () => {
	await auth.close();
	await server.stop();
});

const otherPassword = 'a saddle on every peg';
const dayMs = 24 * 60 * 60_000;

/** The newest mail to an address with this subject, once it has arrived. */
async function mailTo(email: string, subject: string, from = 0): Promise<ReceivedMail> {
	const matching = () => server.to(email).filter((mail) => mail.subject.includes(subject))[from];
	await eventually(`a mail to ${email}: ${subject}`, () => matching() !== undefined, 15_000);
	const mail = matching();
	if (mail === undefined) throw new TypeError('It was there.');
	return mail;
}

function tokenIn({ text }: ReceivedMail): string {
	return /#token=([\w-]{43})/.exec(text)?.[1] ?? '';
}

const post = <Data = { code: string }>(path: string, body: object, token?: string) =>
	auth.call<Data>('POST', path, { body, token, headers: ownAddress() });

const stored = (email: string) =>
	auth.deps.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();

async function registered(changes: Readonly<Record<string, unknown>> = {}) {
	const person = newPerson(changes);
	expect((await post('/auth/register', person)).status).toBe(201);
	return person;
}

async function verified() {
	const person = await registered();
	const { email } = person;
	expect(
		(await post('/auth/verify-email', { token: tokenIn(await mailTo(email, 'bestätigen')) })).status,
	).toBe(200);
	return { ...person, ...(await auth.signIn(person)) };
}

describe('the verification of an address', () => {
	test('an unverified account has its profile and nothing else; verified by the link once, it has its rights', async () => {
		const person = await registered();
		const { accessToken, refreshToken } = await auth.signIn(person);
		const profile = await auth.call<UserDto>('GET', '/auth/profile', { token: accessToken });
		expect([profile.status, profile.data.emailVerifiedAt]).toEqual([200, null]);
		expect(rolesIn(accessToken)).toEqual([]);
		const body = { roles: ['MEMBER', 'ADMIN'] as const };
		await auth.deps.db.updateTable('users').set(body).where('id', '=', profile.data.id).execute();
		const users = await auth.call('GET', '/auth/users', { token: (await auth.signIn(person)).accessToken });
		expect(users.status).toBe(403);
		await auth.deps.db
			.updateTable('users')
			.set({ roles: ['MEMBER'] })
			.where('id', '=', profile.data.id)
			.execute();

		const token = tokenIn(await mailTo(person.email, 'bestätigen'));
		const digestOnly = await auth.deps.db.selectFrom('accountTokens').selectAll().execute();
		expect(JSON.stringify(digestOnly)).not.toContain(token);
		expect((await post('/auth/verify-email', { token })).status).toBe(200);
		const again = await post('/auth/verify-email', { token });
		expect([again.status, again.data.code]).toEqual([400, 'ACCOUNT_TOKEN_INVALID']);
		const refreshed = await post<Tokens>('/auth/refresh', { refreshToken });
		expect(rolesIn(refreshed.data.accessToken)).toEqual(['MEMBER']);
	});

	test('a link expires after a day; another one is sent on request, at most one a minute', async () => {
		const person = await registered();
		const token = tokenIn(await mailTo(person.email, 'bestätigen'));
		auth.clock.advance(dayMs);
		expect((await post('/auth/verify-email', { token })).data.code).toBe('ACCOUNT_TOKEN_INVALID');
		for (let time = 0; time < 3; time += 1)
			expect((await post('/auth/resend-verification', { email: person.email })).status).toBe(200);
		const next = tokenIn(await mailTo(person.email, 'bestätigen', 1));
		expect((await post('/auth/verify-email', { token: next })).status).toBe(200);
		await verified();
		expect(server.to(person.email)).toHaveLength(2);
	});

	test('a registration by the owner of the address replaces one by somebody else', async () => {
		const stranger = await registered();
		const { refreshToken } = await auth.signIn(stranger);
		const first = tokenIn(await mailTo(stranger.email, 'bestätigen'));
		const owner = await registered({ email: stranger.email, password: otherPassword });
		const second = tokenIn(await mailTo(owner.email, 'bestätigen', 1));
		expect((await post('/auth/verify-email', { token: first })).status).toBe(400);
		expect((await post('/auth/verify-email', { token: second })).status).toBe(200);
		expect((await post('/auth/login', { email: owner.email, password: goodPassword })).status).toBe(401);
		expect((await post('/auth/refresh', { refreshToken })).status).toBe(401);
		await auth.signIn(owner);
	});

	test('a second registration of a verified address tells its owner by mail', async () => {
		const owner = await verified();
		await registered({ email: owner.email, password: otherPassword });
		await mailTo(owner.email, 'bereits ein Konto');
		await auth.signIn(owner);
	});

	test('an account that is not verified within a week is deleted', async () => {
		const person = await registered();
		auth.clock.advance(8 * dayMs);
		await auth.deps.maintenance.run();
		expect(await stored(person.email)).toBeUndefined();
	});

	test('the week of a registration that replaces another one is its own', async () => {
		const { email } = await registered();
		auth.clock.advance(5 * dayMs);
		await registered({ email });
		auth.clock.advance(5 * dayMs);
		await auth.deps.maintenance.run();
		expect(await stored(email)).toBeDefined();
		auth.clock.advance(3 * dayMs);
		await auth.deps.maintenance.run();
		expect(await stored(email)).toBeUndefined();
	});
});

describe('a forgotten password', () => {
	test('is replaced by the link once, which ends all sessions and is reported by mail', async () => {
		const person = await verified();
		expect((await post('/auth/forgot-password', { email: person.email })).status).toBe(200);
		const token = tokenIn(await mailTo(person.email, 'Neues Passwort'));
		const weak = await post('/auth/reset-password', { token, newPassword: 'Password1234!' });
		expect(weak.status).toBe(400);
		const reset = await post<{ sessionsEnded: number }>('/auth/reset-password', {
			token,
			newPassword: otherPassword,
		});
		expect([reset.status, reset.data]).toEqual([200, { sessionsEnded: 1 }]);
		expect((await post('/auth/reset-password', { token, newPassword: otherPassword })).status).toBe(400);
		expect((await post('/auth/refresh', { refreshToken: person.refreshToken })).status).toBe(401);
		expect((await post('/auth/login', { email: person.email, password: goodPassword })).status).toBe(401);
		await auth.signIn({ email: person.email, password: otherPassword });
		await mailTo(person.email, 'Passwort wurde geändert');
	});

	test('a link is valid for half an hour, and of concurrent uses one succeeds', async () => {
		const { email } = await verified();
		await post('/auth/forgot-password', { email });
		const first = tokenIn(await mailTo(email, 'Neues Passwort'));
		auth.clock.advance(30 * 60_000);
		expect((await post('/auth/reset-password', { token: first, newPassword: otherPassword })).status).toBe(
			400,
		);
		await post('/auth/forgot-password', { email });
		const second = tokenIn(await mailTo(email, 'Neues Passwort', 1));
		const uses = await Promise.all(
			[1, 2, 3].map(() => post('/auth/reset-password', { token: second, newPassword: otherPassword })),
		);
		expect(uses.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
	});

	test('an address without an account gets the same response and no mail', async () => {
		const person = await verified();
		const email = `nobody-${randomUUID()}@example.org`;
		const [unknown, known] = [
			await post('/auth/forgot-password', { email }),
			await post('/auth/forgot-password', { email: person.email }),
		];
		expect([unknown.status, unknown.message]).toEqual([known.status, known.message]);
		await mailTo(person.email, 'Neues Passwort');
		expect(server.to(email)).toEqual([]);
	});
});

describe('the sessions of an account', () => {
	test('are listed with their devices, and each can be ended, but none of another account', async () => {
		const person = await verified();
		const body = { email: person.email, password: goodPassword };
		const headers = {
			...ownAddress(),
			'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; rv:130.0) Gecko/20100101 Firefox/130.0',
		};
		const other = (await auth.call<Tokens>('POST', '/auth/login', { body, headers })).data;
		const token = person.accessToken;
		const { data } = await auth.call<{ items: Session[] }>('GET', '/auth/sessions', { token });
		expect(data.items.map(({ current, device, place }) => ({ current, device, place }))).toEqual(
			expect.arrayContaining([
				{ current: false, device: 'Firefox on Windows', place: null },
				{ current: true, device: 'node', place: null },
			]),
		);
		const id = data.items.find(({ current }) => !current)?.id ?? '';
		const stranger = await verified();
		expect((await auth.call('DELETE', `/auth/sessions/${id}`, { token: stranger.accessToken })).status).toBe(
			404,
		);
		expect((await auth.call('DELETE', `/auth/sessions/${id}`, { token })).status).toBe(200);
		expect((await auth.call('DELETE', `/auth/sessions/${id}`, { token })).status).toBe(404);
		expect((await post('/auth/refresh', { refreshToken: other.refreshToken })).status).toBe(401);
		expect((await post('/auth/refresh', { refreshToken: person.refreshToken })).status).toBe(200);
	});
});

describe('a change of address', () => {
	test('needs the password and both links, and the former address is told', async () => {
		const person = await verified();
		const { email, accessToken: token } = person;
		const newEmail = `new-${randomUUID().slice(0, 8)}@example.org`;
		const wrong = await post('/auth/change-email', { newEmail, currentPassword: otherPassword }, token);
		expect(wrong.data.code).toBe('CURRENT_PASSWORD_WRONG');
		expect(
			(await post('/auth/change-email', { newEmail, currentPassword: goodPassword }, token)).status,
		).toBe(200);
		const leave = tokenIn(await mailTo(email, 'soll geändert werden'));
		const enter = tokenIn(await mailTo(newEmail, 'neue E-Mail-Adresse'));
		const first = await post<{ changed: boolean }>('/auth/confirm-email-change', { token: leave });
		expect([first.data.changed, (await stored(email))?.id]).toEqual([false, person.user.id]);
		const second = await post<{ changed: boolean }>('/auth/confirm-email-change', { token: enter });
		expect([second.data.changed, (await stored(newEmail))?.id]).toEqual([true, person.user.id]);
		expect(await stored(email)).toBeUndefined();
		await mailTo(email, 'Adresse wurde geändert');
		await auth.signIn({ email: newEmail, password: goodPassword });
	});

	// Each request sends a mail to an address that the caller chooses.
	test('is requested once a minute at most', async () => {
		const { accessToken: token } = await verified();
		const newEmails = [1, 2, 3].map(() => `new-${randomUUID().slice(0, 8)}@example.org`);
		const [first = '', second = '', third = ''] = newEmails;
		const request = (newEmail: string) =>
			post('/auth/change-email', { newEmail, currentPassword: goodPassword }, token);
		expect((await request(first)).status).toBe(200);
		auth.clock.advance(50_000);
		const refused = await request(second);
		expect([refused.status, refused.data.code, refused.headers.get('Retry-After')]).toEqual([
			429,
			'RATE_LIMITED',
			'10',
		]);
		await mailTo(first, 'neue E-Mail-Adresse');
		auth.clock.advance(10_000);
		expect((await request(third)).status).toBe(200);
		await mailTo(third, 'neue E-Mail-Adresse');
		expect(server.to(second)).toEqual([]);
	});

	// Otherwise anyone could keep an address from its owner by a registration.
	test('replaces an account that was registered with the new address and never verified', async () => {
		const person = await verified();
		const squatter = await registered();
		const { refreshToken, user } = await auth.signIn(squatter);
		const { email: newEmail } = squatter;
		const body = { newEmail, currentPassword: goodPassword };
		expect((await post('/auth/change-email', body, person.accessToken)).status).toBe(200);
		const leave = tokenIn(await mailTo(person.email, 'soll geändert werden'));
		const enter = tokenIn(await mailTo(newEmail, 'neue E-Mail-Adresse'));
		await post('/auth/confirm-email-change', { token: leave });
		const { data } = await post<{ changed: boolean }>('/auth/confirm-email-change', { token: enter });
		expect([data.changed, (await stored(newEmail))?.id]).toEqual([true, person.user.id]);
		const former = auth.deps.db.selectFrom('users').selectAll().where('id', '=', user.id);
		expect(await former.execute()).toEqual([]);
		expect((await post('/auth/refresh', { refreshToken })).status).toBe(401);
	});

	test('of an account to its own address, which was never verified, verifies it', async () => {
		const person = await registered();
		const { accessToken } = await auth.signIn(person);
		const body = { newEmail: person.email, currentPassword: goodPassword };
		expect((await post('/auth/change-email', body, accessToken)).status).toBe(200);
		const enter = tokenIn(await mailTo(person.email, 'neue E-Mail-Adresse'));
		const { status, data } = await post<{ changed: boolean }>('/auth/confirm-email-change', { token: enter });
		expect([status, data.changed]).toEqual([200, true]);
		expect((await stored(person.email))?.emailVerifiedAt).toEqual(expect.any(Date));
	});

	test('to an address that another account has verified before the confirmation is refused', async () => {
		const person = await verified();
		const newEmail = `new-${randomUUID().slice(0, 8)}@example.org`;
		const body = { newEmail, currentPassword: goodPassword };
		expect((await post('/auth/change-email', body, person.accessToken)).status).toBe(200);
		const leave = tokenIn(await mailTo(person.email, 'soll geändert werden'));
		const enter = tokenIn(await mailTo(newEmail, 'neue E-Mail-Adresse'));
		await registered({ email: newEmail });
		const link = { token: tokenIn(await mailTo(newEmail, 'bestätigen Sie Ihre E-Mail')) };
		expect((await post('/auth/verify-email', link)).status).toBe(200);
		await post('/auth/confirm-email-change', { token: leave });
		const refused = await post('/auth/confirm-email-change', { token: enter });
		expect([refused.status, refused.data.code]).toEqual([409, 'EMAIL_ALREADY_REGISTERED']);
	});

	// Whoever has registered an address of somebody else could take the account over, once its owner had it.
	test.each(['a recovery', 'another registration'])('is forgotten with %s', async (name) => {
		const person = await registered();
		const { email } = person;
		const { accessToken: token } = await auth.signIn(person);
		const newEmail = `new-${randomUUID().slice(0, 8)}@example.org`;
		const asked = await post('/auth/change-email', { newEmail, currentPassword: goodPassword }, token);
		expect(asked.status).toBe(200);
		const enter = tokenIn(await mailTo(newEmail, 'neue E-Mail-Adresse'));
		if (name === 'a recovery') {
			expect((await post('/auth/forgot-password', { email })).status).toBe(200);
			const reset = { token: tokenIn(await mailTo(email, 'Neues Passwort')), newPassword: otherPassword };
			expect((await post('/auth/reset-password', reset)).status).toBe(200);
		} else expect((await post('/auth/register', { ...person, password: otherPassword })).status).toBe(201);
		const confirmed = await post('/auth/confirm-email-change', { token: enter });
		expect([confirmed.data.code, await stored(newEmail)]).toEqual(['ACCOUNT_TOKEN_INVALID', undefined]);
		const { id = '' } = (await stored(email)) ?? {};
		const changes = auth.deps.db.selectFrom('emailChanges').selectAll().where('userId', '=', id);
		expect(await changes.execute()).toEqual([]);
	});

	test('to the address of another account gets the same response; its owner is told', async () => {
		const [person, owner] = [await verified(), await verified()];
		const body = { newEmail: owner.email, currentPassword: goodPassword };
		const { status, message } = await post('/auth/change-email', body, person.accessToken);
		expect([status, message]).toEqual([200, 'Confirm the change at both addresses']);
		await mailTo(owner.email, 'bereits ein Konto');
	});
});

interface Session {
	readonly id: string;
	readonly current: boolean;
	readonly device: string | null;
	readonly place: string | null;
}

function rolesIn(accessToken: string): unknown {
	const [, payload = ''] = accessToken.split('.');
	return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { roles: unknown }).roles;
}
