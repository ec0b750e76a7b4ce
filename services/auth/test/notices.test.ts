import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSettableRegistry, eventually, type MailServer, startMailServer } from '@paddock/testing';
import type { UserDto } from '../src/users/schemas.ts';
import {
	goodPassword,
	newPerson,
	ownAddress,
	type Person,
	type RunningAuth,
	runAuth,
	type Tokens,
} from './running-auth.ts';
import { begin, complete, enrolTotp, signInWithCode } from './second-factors.ts';

let server: MailServer;
let auth: RunningAuth;
beforeAll(async () => {
	server = await startMailServer();
	auth = await runAuth({ settings: { SMTP_URL: server.url, JOB_POLL_MS: '500' } });
});
afterAll(async () => {
	await auth.close();
	await server.stop();
});

/** Waits for a mail with this subject to the person. */
async function mailTo({ email }: Pick<Person, 'email'>, subject: string) {
	const matching = () => server.to(email).filter((mail) => mail.subject === subject);
	await eventually(`${subject} to ${email}`, () => matching().length > 0, 15_000);
	return matching();
}

const english = () => auth.register({ locale: 'en-GB' });
const signedIn = async () => {
	const person = await english();
	return { ...person, ...(await auth.signIn(person)) };
};
const codeIn = (response: { readonly data: unknown }) => (response.data as { readonly code?: string }).code;

describe('the owner of an account is informed by mail', () => {
	test('of second factors that are added, removed or reset, and of recovery codes', async () => {
		const person = await enrolTotp(auth, await signedIn());
		expect((await mailTo(person, 'A second factor was added'))[0]?.text).toContain('An authenticator app');
		const { challengeToken } = (await begin(auth, person)).data;
		const used = await complete(auth, challengeToken, person.recoveryCodes[0] ?? '');
		expect(used.status).toBe(200);
		expect((await mailTo(person, 'A recovery code was used'))[0]?.text).toContain('Codes left: 9');
		const { accessToken: token } = await signInWithCode(auth, person);
		expect((await auth.call('POST', '/auth/second-factors/recovery-codes', { token })).status).toBe(200);
		await mailTo(person, 'You have new recovery codes');
		const { data } = await auth.call<{ factors: { id: string }[] }>('GET', '/auth/second-factors', { token });
		const removed = await auth.call('DELETE', `/auth/second-factors/${data.factors[0]?.id}`, { token });
		expect(removed.status).toBe(200);
		await mailTo(person, 'A second factor was removed');

		const other = await enrolTotp(auth, await signedIn());
		const { accessToken } = await auth.administrator();
		const path = `/auth/users/${other.id}/reset-second-factors`;
		await auth.call('POST', path, { token: accessToken, body: { reason: 'phone lost' } });
		await mailTo(other, 'All second factors were removed');
	});

	test('of a sign-in on a device that the account does not know, once a day for each program', async () => {
		const person = await english();
		const login = (userAgent: string, device?: string) =>
			auth.call<Tokens>('POST', '/auth/login', {
				body: { email: person.email, password: person.password },
				headers: {
					...ownAddress(),
					'User-Agent': userAgent,
					...(device === undefined ? {} : { 'X-Device-Token': device }),
				},
			});
		const windows = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0';
		const { deviceToken } = (await login(windows)).data;
		await login(windows, deviceToken);
		await login('curl/8.5.0');
		await login('curl/8.5.0');
		const [mail] = await mailTo(person, 'Sign-in on a new device');
		expect(mail?.text).toContain('curl/8.5.0');
		// A later mail: those before it have been sent.
		await auth.call('POST', '/auth/forgot-password', { body: { email: person.email } });
		await mailTo(person, 'New password');
		expect(await mailTo(person, 'Sign-in on a new device')).toHaveLength(1);
	});

	test('of other roles, and not if they stay', async () => {
		const person = await english();
		const { accessToken: token } = await auth.administrator();
		const change = (body: object) => auth.call('PUT', `/auth/users/${person.id}/roles`, { token, body });
		expect((await change({ roles: ['MEMBER'], memberId: randomUUID() })).status).toBe(200);
		expect((await change({ roles: ['MEMBER', 'ORGANISER'] })).status).toBe(200);
		const mails = await mailTo(person, 'The roles of your account were changed');
		expect(mails.map(({ text }) => text.includes('MEMBER, ORGANISER'))).toEqual([true]);
	});
});

describe('POST /auth/users', () => {
	const invitation = (changes: object = {}) => {
		const { email, firstName, lastName } = newPerson();
		return { email, firstName, lastName, locale: 'en-GB', ...changes } as { email: string };
	};
	const invite = (token: string, body: object) =>
		auth.call<UserDto & { code?: string }>('POST', '/auth/users', { token, body });
	const tokenOf = (text = '') => /#token=([\w-]{43})/.exec(text)?.[1] ?? '';
	const setPassword = (token: string) =>
		auth.call('POST', '/auth/reset-password', {
			body: { token, newPassword: 'a saddle on every peg' },
			headers: ownAddress(),
		});

	test('creates an account that its owner opens with the link of a mail, once, within seven days', async () => {
		const { accessToken } = await auth.administrator();
		const body = invitation({
			roles: ['MEMBER', 'ORGANISER'],
			roleScopes: { ORGANISER: { clubIds: [randomUUID()] } },
		});
		const created = await invite(accessToken, body);
		expect([created.status, created.data, created.headers.get('Location')]).toMatchObject([
			201,
			{ ...body, status: 'ACTIVE' },
			`/auth/users/${created.data.id}`,
		]);
		const row = await auth.deps.db
			.selectFrom('users')
			.selectAll()
			.where('id', '=', created.data.id)
			.executeTakeFirstOrThrow();
		expect(row.emailVerifiedAt).toBeNull();
		const [mail] = await mailTo(body, 'Your account at the federation');
		const token = tokenOf(mail?.text);
		expect((await setPassword(token)).status).toBe(200);
		expect(codeIn(await setPassword(token))).toBe('ACCOUNT_TOKEN_INVALID');
		const { user } = await auth.signIn({ ...body, password: 'a saddle on every peg' });
		expect(user).toMatchObject({ id: created.data.id, roles: ['MEMBER', 'ORGANISER'] });

		const late = invitation();
		await invite(accessToken, late);
		const [lateMail] = await mailTo(late, 'Your account at the federation');
		auth.clock.advance(7 * 24 * 60 * 60_000);
		expect(codeIn(await setPassword(tokenOf(lateMail?.text)))).toBe('ACCOUNT_TOKEN_INVALID');
		auth.clock.advance(1);
		await auth.deps.maintenance.run();
		const users = auth.deps.db.selectFrom('users').select('id').where('email', '=', late.email);
		expect(await users.execute()).toEqual([]);
	});

	// Otherwise anybody could take the roles from an invited account, and choose its password.
	test('creates an account that no registration replaces; the invitation is sent again', async () => {
		const { accessToken } = await auth.administrator();
		const roles = ['MEMBER', 'ORGANISER'];
		const body = invitation({ roles });
		const { data } = await invite(accessToken, body);
		const rows = auth.deps.db.selectFrom('users').selectAll().where('id', '=', data.id);
		const before = await rows.executeTakeFirstOrThrow();
		// Also before the invitation is sent.
		const register = (email: string) =>
			auth.call('POST', '/auth/register', { body: newPerson({ email }), headers: ownAddress() });
		const [known, unknown] = [await register(body.email), await register(newPerson().email)];
		expect([known.status, known.message, Object.keys(known.data)]).toEqual([
			unknown.status,
			unknown.message,
			Object.keys(unknown.data),
		]);
		expect(await rows.executeTakeFirstOrThrow()).toEqual(before);
		const email = { email: body.email };
		expect((await auth.call('POST', '/auth/resend-verification', { body: email })).status).toBe(200);
		const subject = 'Your account at the federation';
		await eventually('all came', () => server.to(body.email).length === 3, 15_000);
		expect(server.to(body.email).map((mail) => mail.subject)).toEqual([subject, subject, subject]);
		expect((await setPassword(tokenOf(server.to(body.email)[1]?.text))).status).toBe(200);
		expect((await auth.signIn({ ...email, password: 'a saddle on every peg' })).user.roles).toEqual(roles);
	});

	// Otherwise anyone could keep an address from its owner by a registration.
	test('replaces an account whose address was never verified, with its password and its sessions', async () => {
		const other = await runAuth({ beside: auth, settings: { EMAIL_VERIFICATION: 'on' } });
		try {
			const squatter = await other.register();
			const { refreshToken } = await auth.signIn(squatter);
			const { accessToken } = await auth.administrator();
			const { email, password } = squatter;
			const roles = ['MEMBER', 'ORGANISER'];
			const { status, data } = await invite(accessToken, invitation({ email, roles }));
			expect([status, data.id, data.roles]).toEqual([201, squatter.id, roles]);
			expect(codeIn(await begin(auth, { email, password }))).toBe('INVALID_CREDENTIALS');
			expect((await auth.call('POST', '/auth/refresh', { body: { refreshToken } })).status).toBe(401);
			const again = await invite(accessToken, invitation({ email }));
			expect([again.status, codeIn(again)]).toEqual([409, 'EMAIL_ALREADY_REGISTERED']);
			const [mail] = await mailTo({ email }, 'Your account at the federation');
			expect((await setPassword(tokenOf(mail?.text))).status).toBe(200);
			const { user } = await auth.signIn({ email, password: 'a saddle on every peg' });
			expect(user).toMatchObject({ id: data.id, roles });
		} finally {
			await other.close();
		}
	});

	test('creates an account that stays while the link is valid, also where others are deleted earlier', async () => {
		const settings = { SMTP_URL: server.url, UNVERIFIED_ACCOUNT_DAYS: '1' };
		const other = await runAuth({ beside: auth, settings });
		try {
			const { accessToken } = await auth.administrator();
			const body = invitation();
			const { data } = await invite(accessToken, body);
			await mailTo(body, 'Your account at the federation');
			const rows = auth.deps.db.selectFrom('users').select('id').where('id', '=', data.id);
			auth.clock.advance(6 * 24 * 60 * 60_000);
			await other.deps.maintenance.run();
			expect(await rows.execute()).toHaveLength(1);
			auth.clock.advance(2 * 24 * 60 * 60_000);
			await other.deps.maintenance.run();
			expect(await rows.execute()).toEqual([]);
		} finally {
			await other.close();
		}
	});

	test('is for administrators, who confirm their second factor if they have one', async () => {
		const body = invitation();
		const { accessToken: ofMember } = await auth.member();
		expect((await invite(ofMember, body)).status).toBe(403);
		const admin = await enrolTotp(auth, await auth.administrator());
		expect(codeIn(await invite(admin.tokens.accessToken, body))).toBe('STEP_UP_REQUIRED');
		const { accessToken } = await signInWithCode(auth, admin);
		expect((await invite(accessToken, body)).status).toBe(201);
	});

	test('refuses an address that has an account, a password, a scope without its role, and an unknown club', async () => {
		const { accessToken } = await auth.administrator();
		const { email } = await auth.register();
		const taken = await invite(accessToken, invitation({ email }));
		expect([taken.status, codeIn(taken)]).toEqual([409, 'EMAIL_ALREADY_REGISTERED']);
		const scopes = { roleScopes: { ORGANISER: { clubIds: [randomUUID()] } } };
		for (const wrong of [{ password: goodPassword }, scopes])
			expect((await invite(accessToken, invitation(wrong))).status).toBe(400);
		const other = await runAuth({ beside: auth, registry: createSettableRegistry({}) });
		try {
			const { accessToken: token } = await other.administrator();
			const body = invitation({ roles: ['MEMBER', 'ORGANISER'], ...scopes });
			// No instance of the members service is known.
			const unknown = await other.call('POST', '/auth/users', { token, body });
			expect([unknown.status, codeIn(unknown)]).toEqual([503, 'SERVICE_UNAVAILABLE']);
			expect((await other.call('POST', '/auth/users', { token, body: invitation() })).status).toBe(201);
		} finally {
			await other.close();
		}
	});
});
