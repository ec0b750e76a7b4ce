import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, type MailServer, startMailServer } from '@paddock/testing';
import { sql } from 'kysely';
import { client, newKey, type ProviderAccount, type RealProvider, startProvider } from './real-provider.ts';
import { recordingLogger } from './recording-logger.ts';
import {
	goodPassword,
	newPerson,
	ownAddress,
	type Person,
	type RunAuthOptions,
	type RunningAuth,
	runAuth,
	type Tokens,
} from './running-auth.ts';
import { claimsOf, codeOf, complete, enrolTotp } from './second-factors.ts';

const publicUrl = 'https://paddock.example.org';
let mails: MailServer;
let provider: RealProvider;
let auth: RunningAuth;
const others: RunningAuth[] = [];

const settingsFor = (issuer: string, more: Readonly<Record<string, string>> = {}) => ({
	OIDC_ISSUER: issuer,
	OIDC_CLIENT_ID: client.id,
	OIDC_CLIENT_SECRET: client.secret,
	OIDC_TIMEOUT_MS: '1500',
	PUBLIC_URL: publicUrl,
	SMTP_URL: mails.url,
	JOB_POLL_MS: '500',
	...more,
});

async function besideWith(
	more: Readonly<Record<string, string>>,
	options: Pick<RunAuthOptions, 'logger'> = {},
): Promise<RunningAuth> {
	const other = await runAuth({ ...options, beside: auth, settings: settingsFor(provider.issuer, more) });
	others.push(other);
	return other;
}

// The provider reports on the console that it is meant for production.
const { warn, info } = console;

beforeAll(async () => {
	Object.assign(console, { warn: () => {}, info: () => {} });
	mails = await startMailServer();
	provider = await startProvider(`${publicUrl}/auth/oidc/callback`);
	auth = await runAuth({ settings: settingsFor(provider.issuer) });
});
afterAll(async () => {
	await auth.close();
	await provider.stop();
	await mails.stop();
	Object.assign(console, { warn, info });
});
beforeEach(() => {
	Object.assign(provider, { declines: false, outage: undefined, shownKeys: undefined });
});
afterEach(async () => {
	await Promise.all(others.splice(0).map((other) => other.close()));
});

/** A browser: follows redirections by hand and stores cookies by origin and path. */
class Browser {
	readonly #cookies = new Map<string, { readonly value: string; readonly path: string }>();
	readonly #auth: RunningAuth;

	constructor(of = auth) {
		this.#auth = of;
	}

	async get(address: string): Promise<{ readonly location: string; readonly cookie: string }> {
		const url = new URL(address);
		const isOurs = url.origin === publicUrl;
		const target = isOurs ? this.#auth.url + url.pathname + url.search : url.href;
		const headers = { Cookie: this.cookiesFor(url.origin, url.pathname) };
		const response = await fetch(target, { redirect: 'manual', headers });
		await response.text();
		for (const cookie of response.headers.getSetCookie()) this.#store(url.origin, cookie);
		const location = response.headers.get('Location');
		if (location === null) throw new Error(`${response.status} of ${address} is no redirection`);
		return { location: new URL(location, url).href, cookie: response.headers.getSetCookie().join() };
	}

	/** Follows redirections until one leads to an address that begins so. */
	async until(prefix: string, from: string): Promise<string> {
		let address = from;
		for (let step = 0; step < 10; step += 1) {
			if (address.startsWith(prefix)) return address;
			address = (await this.get(address)).location;
		}
		throw new Error(`${prefix} was not reached: ${address}`);
	}

	/** Until the provider sends it back. */
	async callback(from = `${publicUrl}/auth/oidc/start`): Promise<string> {
		return this.until(`${publicUrl}/auth/oidc/callback`, from);
	}

	/** The parameters with which the console is opened. */
	async finish(callback: string): Promise<{ readonly code?: string; readonly error?: string }> {
		const page = await this.until(`${publicUrl}/app/sign-in`, callback);
		return Object.fromEntries(new URL(page).searchParams);
	}

	async signInAtProvider(): Promise<{ readonly code?: string; readonly error?: string }> {
		return this.finish(await this.callback());
	}

	post<Data = Refusal>(path: string, body: object) {
		const headers = { ...ownAddress(), Cookie: this.cookiesFor(publicUrl, path) };
		return this.#auth.call<Data>('POST', path, { body, headers });
	}

	cookiesFor(origin: string, path: string): string {
		return [...this.#cookies]
			.filter(([key, cookie]) => key.startsWith(`${origin} `) && path.startsWith(cookie.path))
			.map(([key, { value }]) => `${key.slice(origin.length + 1)}=${value}`)
			.join('; ');
	}

	#store(origin: string, cookie: string): void {
		const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim());
		const [name = '', value = ''] = pair.split('=');
		const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/';
		this.#cookies.set(`${origin} ${name}`, { value, path });
	}
}

interface Refusal {
	readonly code: string;
	readonly linkToken: string;
	readonly challengeToken: string;
	readonly email: string;
}

function accountOf(changes: Partial<ProviderAccount> = {}): ProviderAccount & { readonly email: string } {
	const sub = randomUUID();
	return {
		sub,
		email: `p-${sub.slice(0, 13)}@example.org`,
		email_verified: true,
		given_name: 'Anna',
		family_name: 'Gruber',
		...changes,
	} as ProviderAccount & { readonly email: string };
}

/** Signs in at the provider and exchanges the code. */
async function exchanged<Data = Refusal>(account: ProviderAccount, browser = new Browser()) {
	provider.account = account;
	const { code = '' } = await browser.signInAtProvider();
	return browser.post<Data>('/auth/oidc/exchange', { code });
}

/** An account here, and one at the provider with its address. */
async function both(): Promise<{ readonly person: Person; readonly account: ProviderAccount }> {
	const person = await auth.register();
	return { person, account: accountOf({ email: person.email }) };
}

const identitiesOf = (userId: string) =>
	auth.deps.db.selectFrom('externalIdentities').selectAll().where('userId', '=', userId).execute();
const codeIn = (response: { readonly data: unknown }) => (response.data as { readonly code?: string }).code;

/** The token of the newest mail to an address whose text has this. */
async function tokenOfMail(email: string, before: string): Promise<string> {
	const tokens = () =>
		mails.to(email).flatMap(({ text }) => {
			const [, rest] = text.split(before);
			return rest === undefined ? [] : [/^#token=([\w-]{43})/.exec(rest)?.[1] ?? ''];
		});
	await eventually(`a mail to ${email} has ${before}`, () => tokens().length > 0, 15_000);
	return tokens().at(-1) ?? '';
}

/** Runs the statements before each step of a sign-in is used, until the result is known. */
async function beforeSteps<Result>(statements: string, attempt: () => Promise<Result>): Promise<Result> {
	const { db } = auth.deps;
	await sql
		.raw(`create function interfere() returns trigger language plpgsql as $$ begin ${statements} end $$`)
		.execute(db);
	await sql`create trigger interfere before delete on oidc_steps
		for each row execute function interfere()`.execute(db);
	try {
		return await attempt();
	} finally {
		await sql`drop function interfere() cascade`.execute(db);
	}
}

/** Links the identity with the password. */
async function linked() {
	const { person, account } = await both();
	const browser = new Browser();
	const { linkToken } = (await exchanged(account, browser)).data;
	const body = { linkToken, password: person.password };
	const response = await browser.post<Tokens>('/auth/oidc/link', body);
	expect(response.status).toBe(200);
	return { person, account, tokens: response.data };
}

describe('an account with the address', () => {
	test('is linked by its password, then the provider alone signs in, with our own tokens', async () => {
		const { person, account } = await both();
		const browser = new Browser();
		const refused = await exchanged(account, browser);
		expect([refused.status, refused.data]).toMatchObject([
			403,
			{ code: 'OIDC_LINK_REQUIRED', email: person.email },
		]);
		const { linkToken } = refused.data;
		const wrong = await browser.post('/auth/oidc/link', { linkToken, password: 'not this password' });
		expect([wrong.status, codeIn(wrong)]).toEqual([401, 'INVALID_CREDENTIALS']);
		expect(await identitiesOf(person.id)).toEqual([]);
		const body = { linkToken, password: person.password };
		const first = await browser.post<Tokens>('/auth/oidc/link', body);
		expect([first.status, first.data.user.id]).toEqual([200, person.id]);
		expect(codeIn(await browser.post('/auth/oidc/link', body))).toBe('OIDC_CODE_INVALID');
		const second = await exchanged<Tokens>({
			...account,
			email: 'elsewhere@example.org',
			email_verified: false,
		});
		expect([second.status, second.data.user.id]).toEqual([200, person.id]);
		expect(claimsOf(second.data.accessToken).amr).toEqual(['fed']);
		const { status } = await auth.call('GET', '/auth/profile', { token: second.data.accessToken });
		expect(status).toBe(200);
		await eventually('its owner is informed', () =>
			mails.to(person.email).some(({ text }) => text.includes(provider.issuer)),
		);
	});

	test('is linked by a mail, in the browser in which the sign-in began only', async () => {
		const { person, account } = await both();
		const browser = new Browser();
		const { linkToken } = (await exchanged(account, browser)).data;
		expect((await browser.post('/auth/oidc/link/mail', { linkToken })).status).toBe(200);
		const token = await tokenOfMail(person.email, 'link-identity');
		// The owner of the address opens the link of a sign-in that an attacker began.
		const elsewhere = await new Browser().post('/auth/oidc/link/confirm', { token });
		expect([elsewhere.status, codeIn(elsewhere)]).toEqual([403, 'OIDC_OTHER_BROWSER']);
		expect(await identitiesOf(person.id)).toEqual([]);
		const confirmed = await browser.post('/auth/oidc/link/confirm', { token });
		expect([confirmed.status, confirmed.data]).toMatchObject([200, { email: person.email }]);
		expect(codeIn(await browser.post('/auth/oidc/link/confirm', { token }))).toBe('ACCOUNT_TOKEN_INVALID');
		expect((await exchanged<Tokens>(account)).data.user.id).toBe(person.id);
	});

	test('is neither linked nor disclosed if the provider has not verified the address', async () => {
		const { person, account } = await both();
		for (const email_verified of [false, undefined]) {
			const refused = await exchanged({ ...account, email_verified } as ProviderAccount);
			expect([refused.status, codeIn(refused)]).toEqual([403, 'OIDC_EMAIL_UNVERIFIED']);
		}
		expect(await identitiesOf(person.id)).toEqual([]);
	});

	test('does not get an identity that signs in to another account meanwhile', async () => {
		const [first, second] = [await both(), await both()];
		const browsers = [new Browser(), new Browser()] as const;
		const tokens: string[] = [];
		for (const [at, { person }] of [first, second].entries()) {
			const account = { ...first.account, email: person.email };
			tokens.push((await exchanged(account, browsers[at])).data.linkToken);
		}
		const link = (at: 0 | 1) =>
			browsers[at].post('/auth/oidc/link', { linkToken: tokens[at] ?? '', password: goodPassword });
		expect((await link(0)).status).toBe(200);
		const late = await link(1);
		expect([late.status, codeIn(late)]).toEqual([409, 'IDENTITY_LINKED']);
		expect(await identitiesOf(second.person.id)).toEqual([]);
	});

	test('loses its identities, and the links that would add one, with a new password by mail', async () => {
		const { person, account } = await linked();
		const { email } = person;
		const browser = new Browser();
		const { linkToken } = (await exchanged(accountOf({ email }), browser)).data;
		await browser.post('/auth/oidc/link/mail', { linkToken });
		const linkMail = await tokenOfMail(email, 'link-identity');
		await browser.post('/auth/forgot-password', { email });
		const body = { token: await tokenOfMail(email, 'reset-password'), newPassword: 'a saddle on every peg' };
		expect((await browser.post('/auth/reset-password', body)).status).toBe(200);
		expect(await identitiesOf(person.id)).toEqual([]);
		expect(codeIn(await exchanged(account))).toBe('OIDC_LINK_REQUIRED');
		const late = await browser.post('/auth/oidc/link/confirm', { token: linkMail });
		expect([late.status, codeIn(late)]).toEqual([400, 'ACCOUNT_TOKEN_INVALID']);
	});

	test('is not linked if its password changes meanwhile', async () => {
		const { person, account } = await both();
		const browser = new Browser();
		const { linkToken } = (await exchanged(account, browser)).data;
		const change = `update users set password_changed_at = password_changed_at + interval '1 s' where id = '${person.id}'`;
		const refused = await beforeSteps(`${change}; return old;`, () =>
			browser.post('/auth/oidc/link', { linkToken, password: person.password }),
		);
		expect([refused.status, codeIn(refused)]).toEqual([401, 'INVALID_CREDENTIALS']);
		expect(await identitiesOf(person.id)).toEqual([]);
	});

	test('that is suspended or closed is not signed in', async () => {
		const { person, account } = await linked();
		const set = (status: 'SUSPENDED' | 'CLOSED') =>
			auth.deps.db.updateTable('users').set({ status }).where('id', '=', person.id).execute();
		await set('SUSPENDED');
		expect(codeIn(await exchanged(account))).toBe('FORBIDDEN');
		await set('CLOSED');
		expect(codeIn(await exchanged(account))).toBe('OIDC_ACCOUNT_UNKNOWN');
	});

	test('lists its identities and removes one, which then needs a confirmation again', async () => {
		const { account, tokens } = await linked();
		const token = tokens.accessToken;
		const { data } = await auth.call<{ identities: { id: string; issuer: string }[] }>(
			'GET',
			'/auth/oidc/identities',
			{ token },
		);
		expect(data.identities).toMatchObject([{ issuer: provider.issuer, email: account.email }]);
		const path = `/auth/oidc/identities/${data.identities[0]?.id}`;
		const stranger = await auth.member();
		expect((await auth.call('DELETE', path, { token: stranger.accessToken })).status).toBe(404);
		const removed = await auth.call('DELETE', path, { token });
		expect([removed.status, removed.data]).toEqual([200, { identities: [] }]);
		expect(codeIn(await exchanged(account))).toBe('OIDC_LINK_REQUIRED');
	});
});

describe('a second factor', () => {
	test('is required for the link and for each sign-in with the provider', async () => {
		const enrolled = await enrolTotp(auth, await auth.member());
		const account = accountOf({ email: enrolled.email });
		const browser = new Browser();
		const { linkToken } = (await exchanged(account, browser)).data;
		const step = await browser.post('/auth/oidc/link', { linkToken, password: enrolled.password });
		expect([step.status, codeIn(step)]).toEqual([403, 'SECOND_FACTOR_REQUIRED']);
		expect(await identitiesOf(enrolled.id)).toEqual([]);
		auth.clock.advance(30_000);
		const done = await complete(auth, step.data.challengeToken, await codeOf(auth, enrolled.secret));
		expect([done.status, claimsOf(done.data.accessToken).amr]).toEqual([200, ['pwd', 'otp', 'mfa']]);
		expect(await identitiesOf(enrolled.id)).toMatchObject([{ subject: account.sub }]);
		const again = await exchanged(account);
		expect([again.status, codeIn(again)]).toEqual([403, 'SECOND_FACTOR_REQUIRED']);
		expect(await identitiesOf(enrolled.id)).toMatchObject([{ lastUsedAt: auth.clock.now() }]);
		auth.clock.advance(30_000);
		const second = await complete(auth, again.data.challengeToken, await codeOf(auth, enrolled.secret));
		expect([second.status, claimsOf(second.data.accessToken).amr]).toEqual([200, ['fed', 'otp', 'mfa']]);
	});

	test('must be enrolled by administrators under REQUIRE_MFA, whoever has authenticated them', async () => {
		const { person, account } = await linked();
		const roles = ['MEMBER' as const, 'ADMIN' as const];
		await auth.deps.db.updateTable('users').set({ roles }).where('id', '=', person.id).execute();
		const strict = await besideWith({ REQUIRE_MFA: 'admin' });
		expect(codeIn(await exchanged(account, new Browser(strict)))).toBe('SECOND_FACTOR_ENROLMENT_REQUIRED');
	});
});

describe('without an account', () => {
	test('nobody is signed in unless OIDC_REGISTRATION is on; then one is created, once', async () => {
		const account = accountOf();
		const refused = await exchanged(account);
		expect([refused.status, codeIn(refused)]).toEqual([403, 'OIDC_ACCOUNT_UNKNOWN']);
		const open = await besideWith({ OIDC_REGISTRATION: 'on' });
		const first = await exchanged<Tokens>(account, new Browser(open));
		expect([first.status, first.data.user]).toMatchObject([
			200,
			{ email: account.email, firstName: 'Anna', lastName: 'Gruber', roles: ['MEMBER'] },
		]);
		expect((await exchanged<Tokens>(account, new Browser(open))).data.user.id).toBe(first.data.user.id);
		const unnamed = accountOf({ given_name: '', family_name: '', name: '' });
		const { data } = await exchanged<Tokens>(unnamed, new Browser(open));
		expect(data.user.lastName).toBe(unnamed.email.split('@')[0]);
	});

	// Otherwise whoever registers the address of somebody else first could sign in to the account of its owner later.
	test('a registration of somebody who has not proven the address is replaced', async () => {
		const attacker = await auth.register();
		await auth.deps.db
			.updateTable('users')
			.set({ emailVerifiedAt: null })
			.where('id', '=', attacker.id)
			.execute();
		const session = await auth.signIn(attacker);
		const open = await besideWith({ OIDC_REGISTRATION: 'on' });
		const owner = await exchanged<Tokens>(accountOf({ email: attacker.email }), new Browser(open));
		expect([owner.status, owner.data.user.lastName]).toEqual([200, 'Gruber']);
		const { email, password } = attacker;
		const login = await auth.call('POST', '/auth/login', {
			body: { email, password },
			headers: ownAddress(),
		});
		expect(login.status).toBe(401);
		const body = { refreshToken: session.refreshToken };
		expect((await auth.call('POST', '/auth/refresh', { body })).status).toBe(401);
	});

	// Otherwise it would lose its roles, or whoever has the address at the provider would get them.
	test('an invited one keeps its roles, and is linked by a mail, which verifies its address', async () => {
		const { accessToken: token } = await auth.administrator();
		const { email, firstName, lastName } = newPerson();
		const roles = ['MEMBER', 'ORGANISER'];
		const roleScopes = { ORGANISER: { clubIds: [randomUUID()] } };
		const invitation = { email, firstName, lastName, roles, roleScopes };
		const invited = await auth.call<{ id: string }>('POST', '/auth/users', { token, body: invitation });
		expect(invited.status).toBe(201);
		const open = await besideWith({ OIDC_REGISTRATION: 'on' });
		const [account, browser] = [accountOf({ email }), new Browser(open)];
		const refused = await exchanged(account, browser);
		expect([refused.status, codeIn(refused)]).toEqual([403, 'OIDC_LINK_REQUIRED']);
		await browser.post('/auth/oidc/link/mail', { linkToken: refused.data.linkToken });
		const confirmation = { token: await tokenOfMail(email, 'link-identity') };
		expect((await browser.post('/auth/oidc/link/confirm', confirmation)).status).toBe(200);
		const { data } = await exchanged<Tokens>(account, browser);
		expect(data.user).toMatchObject({ id: invited.data.id, lastName, roles, roleScopes });
		expect(claimsOf(data.accessToken).roles).toEqual(roles);
	});

	test('an invited one is not linked after its invitation has expired', async () => {
		const { accessToken: token } = await auth.administrator();
		const { email, firstName, lastName } = newPerson();
		const body = { email, firstName, lastName };
		expect((await auth.call('POST', '/auth/users', { token, body })).status).toBe(201);
		await tokenOfMail(email, 'reset-password');
		auth.clock.advance(7 * 24 * 60 * 60_000 - 60_000);
		const browser = new Browser();
		const { linkToken } = (await exchanged(accountOf({ email }), browser)).data;
		await browser.post('/auth/oidc/link/mail', { linkToken });
		const confirmation = { token: await tokenOfMail(email, 'link-identity') };
		auth.clock.advance(60_000);
		expect(codeIn(await browser.post('/auth/oidc/link/confirm', confirmation))).toBe('ACCOUNT_TOKEN_INVALID');
	});
});

describe('a response', () => {
	test('is accepted once, from the browser that began, and its code is exchanged there once', async () => {
		const { account } = await linked();
		provider.account = account;
		const browser = new Browser();
		const callback = await browser.callback();
		expect(await new Browser().finish(callback)).toEqual({ error: 'OIDC_CODE_INVALID' });
		const { code = '' } = await browser.finish(callback);
		expect(await browser.finish(callback)).toEqual({ error: 'OIDC_CODE_INVALID' });
		expect(codeIn(await new Browser().post('/auth/oidc/exchange', { code }))).toBe('OIDC_CODE_INVALID');
		expect((await browser.post('/auth/oidc/exchange', { code })).status).toBe(200);
		expect(codeIn(await browser.post('/auth/oidc/exchange', { code }))).toBe('OIDC_CODE_INVALID');
	});

	test('is refused with two cookies, of which another host of the domain may have set one', async () => {
		const { account } = await linked();
		provider.account = account;
		const browser = new Browser();
		const { pathname, search } = new URL(await browser.callback());
		const own = browser.cookiesFor(publicUrl, pathname);
		const Cookie = `${own}; ${own.split('=')[0]}=${'x'.repeat(43)}`;
		const response = await fetch(auth.url + pathname + search, { redirect: 'manual', headers: { Cookie } });
		expect(response.headers.get('Location')).toBe(`${publicUrl}/app/sign-in?error=OIDC_CODE_INVALID`);
		expect(await browser.finish(`${publicUrl}${pathname}${search}`)).toEqual({ code: expect.any(String) });
	});

	test('is not called invalid if the database fails', async () => {
		provider.account = accountOf();
		const browser = new Browser();
		const callback = await browser.callback();
		const finished = beforeSteps(`raise exception 'no space left';`, () => browser.finish(callback));
		await expect(finished).rejects.toThrow(/^500 of /);
	});

	test('that is refused is logged without the claims of the person', async () => {
		const { logger, lines } = recordingLogger();
		const other = await besideWith({}, { logger });
		const account = accountOf();
		provider.account = account;
		const browser = new Browser(other);
		const authorisation = new URL((await browser.get(`${publicUrl}/auth/oidc/start`)).location);
		authorisation.searchParams.set('nonce', 'another');
		const callback = await browser.callback(authorisation.href);
		expect(await browser.finish(callback)).toEqual({ error: 'OIDC_REFUSED' });
		const refusal = lines.find((line) => line.includes('a response of the identity provider was refused'));
		expect(JSON.parse(refusal ?? '{}')).toMatchObject({
			code: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
			reason: 'unexpected JWT claim value encountered',
		});
		expect(lines.filter((line) => line.includes(account.sub) || line.includes(account.email))).toEqual([]);
	});

	test('is refused with an invented state, and after its time', async () => {
		const { account } = await linked();
		provider.account = account;
		const browser = new Browser();
		const callback = new URL(await browser.callback());
		const invented = new URL(callback);
		invented.searchParams.set('state', 'x'.repeat(43));
		expect(await browser.finish(invented.href)).toEqual({ error: 'OIDC_CODE_INVALID' });
		auth.clock.advance(10 * 60_000);
		expect(await browser.finish(callback.href)).toEqual({ error: 'OIDC_CODE_INVALID' });
		const { code = '' } = await browser.signInAtProvider();
		auth.clock.advance(60_000);
		expect(codeIn(await browser.post('/auth/oidc/exchange', { code }))).toBe('OIDC_CODE_INVALID');
	});

	test('is refused with the code of another sign-in, with another nonce, and of another issuer', async () => {
		provider.account = accountOf();
		const attacker = new Browser();
		const stolen = new URL(await attacker.callback()).searchParams.get('code') ?? '';
		const browser = new Browser();
		const changed = async (change: (url: URL) => void) => {
			const callback = new URL(await browser.callback());
			change(callback);
			return browser.finish(callback.href);
		};
		// The verifier of PKCE is that of the other one.
		expect(await changed((url) => url.searchParams.set('code', stolen))).toEqual({ error: 'OIDC_REFUSED' });
		const foreign = (url: URL) => url.searchParams.set('iss', 'https://id.attacker.example');
		expect(await changed(foreign)).toEqual({ error: 'OIDC_REFUSED' });
		const { location } = await browser.get(`${publicUrl}/auth/oidc/start`);
		const authorisation = new URL(location);
		expect(authorisation.searchParams.get('code_challenge_method')).toBe('S256');
		authorisation.searchParams.set('nonce', 'another');
		expect(await browser.finish(await browser.callback(authorisation.href))).toEqual({
			error: 'OIDC_REFUSED',
		});
	});

	test('is refused with the signature of another key, and if the person declines', async () => {
		provider.account = accountOf();
		const { kty, n, e, ...rest } = newKey() as { kty?: string; n?: string; e?: string; kid: string };
		provider.shownKeys = { keys: [{ kty, n, e, kid: rest.kid, alg: 'RS256', use: 'sig' }] };
		expect(await new Browser().signInAtProvider()).toEqual({ error: 'OIDC_REFUSED' });
		provider.shownKeys = undefined;
		provider.declines = true;
		expect(await new Browser().signInAtProvider()).toEqual({ error: 'OIDC_REFUSED' });
	});
});

describe('the provider', () => {
	test('may rotate its keys at any time', async () => {
		const { account } = await linked();
		provider.rotateKeys();
		expect((await exchanged(account)).status).toBe(200);
		provider.rotateKeys();
		expect((await exchanged(account)).status).toBe(200);
	});

	test('is discovered when it is needed first, then from the cache, and used while it can’t be discovered again', async () => {
		const { account } = await linked();
		const discoveries = () => provider.requests.filter((path) => path.includes('.well-known')).length;
		const other = await besideWith({});
		const before = discoveries();
		const signIn = async () => (await exchanged(account, new Browser(other))).status;
		expect([await signIn(), await signIn(), discoveries() - before]).toEqual([200, 200, 1]);
		const start = () => new Browser(other).get(`${publicUrl}/auth/oidc/start`);
		// What the one before has found may be stored only after the clock has moved, and is as old then.
		const discovered = (times: number) =>
			eventually(`${times} discoveries`, async () => {
				if (discoveries() - before >= times) return true;
				auth.clock.advance(10 * 60_000);
				await start();
				return false;
			});
		auth.clock.advance(10 * 60_000);
		expect(await signIn()).toBe(200);
		await discovered(2);
		auth.clock.advance(10 * 60_000);
		provider.outage = 503;
		expect((await start()).location.startsWith(provider.issuer)).toBe(true);
		await discovered(3);
		// A sign-in does not wait for it: its own requests would have no time left.
		provider.outage = 'silentDiscovery';
		expect(await signIn()).toBe(200);
		await discovered(4);
	});

	test.each<[string, () => unknown]>([
		['is unreachable', () => provider.stop()],
		['fails', () => void Object.assign(provider, { outage: 503 })],
		['does not respond', () => void Object.assign(provider, { outage: 'silent' })],
	])('that %s: a clear error, other sign-ins go on, and the next attempt succeeds', async (_name, fail) => {
		const { person, account } = await linked();
		const other = await besideWith({});
		await fail();
		const start = () => new Browser(other).get(`${publicUrl}/auth/oidc/start`);
		expect((await start()).location).toBe(`${publicUrl}/app/sign-in?error=OIDC_UNAVAILABLE`);
		expect((await other.signIn(person)).user.id).toBe(person.id);
		if (provider.outage === undefined) await provider.start();
		provider.outage = undefined;
		expect((await exchanged(account, new Browser(other))).status).toBe(200);
	});

	test('that fails in the middle of a sign-in ends it with a clear error', async () => {
		provider.account = accountOf();
		const browser = new Browser();
		const callback = await browser.callback();
		provider.outage = 500;
		expect(await browser.finish(callback)).toEqual({ error: 'OIDC_UNAVAILABLE' });
	});

	test('gets a cookie for its sign-ins only, which pages can’t read', async () => {
		const { cookie } = await new Browser().get(`${publicUrl}/auth/oidc/start`);
		expect(cookie).toMatch(
			/^__Host-paddock-oidc=[\w-]{43}; Path=\/; Secure; Max-Age=1800; HttpOnly; SameSite=Lax$/,
		);
		const plain = await besideWith({ PUBLIC_URL: 'http://127.0.0.1:8080' });
		expect((await new Browser(plain).get(`${publicUrl}/auth/oidc/start`)).cookie).toMatch(
			/^paddock-oidc=[\w-]{43}; Path=\/auth\/oidc; Max-Age=1800; HttpOnly; SameSite=Lax$/,
		);
	});
});

test('without a provider its routes are 404 with their own code', async () => {
	const plain = await runAuth({ beside: auth });
	others.push(plain);
	const token = 'x'.repeat(43);
	const calls = [
		plain.call('GET', '/auth/oidc/start'),
		plain.call('GET', '/auth/oidc/callback?code=1&state=2'),
		plain.call('POST', '/auth/oidc/exchange', { body: { code: token } }),
		plain.call('POST', '/auth/oidc/link', { body: { linkToken: token, password: goodPassword } }),
		plain.call('POST', '/auth/oidc/link/mail', { body: { linkToken: token } }),
		plain.call('POST', '/auth/oidc/link/confirm', { body: { token } }),
	];
	for (const response of await Promise.all(calls))
		expect([response.status, codeIn(response)]).toEqual([404, 'OIDC_NOT_CONFIGURED']);
	const { data } = await plain.call('GET', '/auth/oidc');
	expect(data).toEqual({ isAvailable: false, name: null, createsAccounts: false });
	expect((await auth.call('GET', '/auth/oidc')).data).toMatchObject({ isAvailable: true, name: '127.0.0.1' });
});
