import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithBrowser, startBrowser } from '@paddock/testing';
import { ownAddress, type Person, type RunningAuth, runAuth, type Tokens } from './running-auth.ts';
import { begin, claimsOf } from './second-factors.ts';

type Browser = Awaited<ReturnType<typeof startBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

/** The response of an authenticator, as the page sends it. */
interface Credential {
	readonly id: string;
	readonly response: Readonly<Record<string, unknown>>;
}

/** A page with a virtual authenticator of Chromium. */
interface Owner {
	create(options: unknown): Promise<Credential>;
	get(options: unknown): Promise<Credential>;
	/** Sets the counter back, as that of a copied authenticator. */
	setCounter(credentialId: string, counter: number): Promise<void>;
}

const errorCode = (response: { data: unknown }) => (response.data as { code?: string }).code;

describeWithBrowser('passkeys of Chromium', () => {
	let auth: RunningAuth;
	let browser: Browser;
	let pages: Server;
	beforeAll(async () => {
		pages = createServer((_req, res) =>
			res.setHeader('Content-Type', 'text/html').end('<title>Pages</title>'),
		);
		pages.listen(0, '127.0.0.1');
		await once(pages, 'listening');
		[auth, browser] = await Promise.all([runAuth(), startBrowser()]);
	}, 60_000);
	afterAll(async () => {
		await browser?.close();
		await auth?.close();
		pages.close();
	});

	async function newOwner(host = 'localhost'): Promise<Owner> {
		const page: Page = await (await browser.newContext()).newPage();
		await page.goto(`http://${host}:${(pages.address() as AddressInfo).port}/`);
		const cdp = await page.context().newCDPSession(page);
		await cdp.send('WebAuthn.enable');
		const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
			options: {
				protocol: 'ctap2',
				transport: 'internal',
				hasResidentKey: true,
				hasUserVerification: true,
				isUserVerified: true,
				automaticPresenceSimulation: true,
			},
		});
		const ceremony = (kind: 'create' | 'get', options: unknown): Promise<Credential> =>
			page.evaluate(`(async () => {
				const parse = '${kind === 'create' ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON'}';
				const publicKey = PublicKeyCredential[parse](${JSON.stringify(options)});
				return (await navigator.credentials.${kind}({ publicKey })).toJSON();
			})()`);
		return {
			create: (options) => ceremony('create', options),
			get: (options) => ceremony('get', options),
			setCounter: async (credentialId, signCount) => {
				const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
				const id = Buffer.from(credentialId, 'base64url').toString('base64');
				const credential = credentials.find((one) => one.credentialId === id);
				if (credential === undefined) throw new Error('no such credential');
				await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: id });
				await cdp.send('WebAuthn.addCredential', {
					authenticatorId,
					credential: { ...credential, signCount },
				});
			},
		};
	}

	const post = (path: string, body: object | undefined, token?: string) =>
		auth.call<Record<string, unknown> & Tokens>('POST', path, {
			headers: ownAddress(),
			...(body === undefined ? {} : { body }),
			...(token === undefined ? {} : { token }),
		});
	const enrolment = async (owner: Owner, token: string) => {
		const options = await post('/auth/second-factors/passkeys/options', undefined, token);
		return { name: 'Phone', credential: await owner.create(options.data) };
	};
	async function enrolled(owner: Owner): Promise<Person & Tokens & { readonly recoveryCodes: string[] }> {
		const person = await auth.member();
		const body = await enrolment(owner, person.accessToken);
		const response = await post('/auth/second-factors/passkeys', body, person.accessToken);
		expect([response.status, response.data]).toMatchObject([
			200,
			{ factors: [{ kind: 'PASSKEY', name: 'Phone' }], recoveryCodesLeft: 10 },
		]);
		return { ...person, recoveryCodes: response.data['recoveryCodes'] as string[] };
	}
	/** The first step, and the response of the authenticator for the second. */
	async function firstStep(person: Person, owner: Owner) {
		const { challengeToken, methods } = (await begin(auth, person)).data;
		expect(methods).toContain('PASSKEY');
		const options = await post('/auth/login/passkey-options', { challengeToken });
		return { challengeToken, credential: await owner.get(options.data) };
	}

	test('are enrolled, complete a sign-in and a step-up, and are removed', async () => {
		const owner = await newOwner();
		const person = await enrolled(owner);
		const { status, data } = await post('/auth/login/passkey', await firstStep(person, owner));
		expect([status, data]).toEqual([200, expect.objectContaining({ tokenType: 'Bearer' })]);
		expect(claimsOf(data.accessToken).amr).toEqual(['pwd', 'hwk', 'mfa']);
		auth.clock.advance(600_001);
		const { data: refreshed } = await post('/auth/refresh', { refreshToken: data.refreshToken });
		const token = refreshed.accessToken;
		const { data: list } = await auth.call<{ factors: { id: string; lastUsedAt: string }[] }>(
			'GET',
			'/auth/second-factors',
			{ token },
		);
		expect(list.factors[0]?.lastUsedAt).not.toBeNull();
		const removal = `/auth/second-factors/${list.factors[0]?.id}`;
		expect(errorCode(await auth.call('DELETE', removal, { token }))).toBe('STEP_UP_REQUIRED');
		const options = await post('/auth/step-up/passkey-options', undefined, token);
		const stepped = await post('/auth/step-up/passkey', { credential: await owner.get(options.data) }, token);
		expect(stepped.status).toBe(200);
		expect((await auth.call('DELETE', removal, { token: stepped.data.accessToken })).status).toBe(200);
		expect((await auth.signIn(person)).user.id).toBe(person.id);
	}, 60_000);

	test('are refused when a response is repeated, or sent for another sign-in, account or purpose', async () => {
		const [owner, stranger] = [await newOwner(), await newOwner()];
		const [person, other] = [await enrolled(owner), await enrolled(stranger)];
		const first = await firstStep(person, owner);
		const second = await firstStep(person, owner);
		// The challenge of another sign-in of the same account.
		const crossed = await post('/auth/login/passkey', { ...second, credential: first.credential });
		expect(errorCode(crossed)).toBe('SECOND_FACTOR_WRONG');
		expect((await post('/auth/login/passkey', second)).status).toBe(200);
		expect(errorCode(await post('/auth/login/passkey', second))).toBe('SIGN_IN_CHALLENGE_INVALID');
		const third = await firstStep(person, owner);
		const repeated = await post('/auth/login/passkey', { ...third, credential: second.credential });
		expect(errorCode(repeated)).toBe('SECOND_FACTOR_WRONG');
		// Another person's passkey.
		const ofOther = await firstStep(other, stranger);
		const foreign = await post('/auth/login/passkey', { ...third, credential: ofOther.credential });
		expect(errorCode(foreign)).toBe('SECOND_FACTOR_WRONG');
		// The response to a sign-in is no step-up.
		const fourth = await firstStep(person, owner);
		const stepUp = await post('/auth/step-up/passkey', { credential: fourth.credential }, person.accessToken);
		expect(errorCode(stepUp)).toBe('SECOND_FACTOR_WRONG');
		// Of two uses at the same moment one signs in.
		const fifth = await firstStep(person, owner);
		const uses = await Promise.all([1, 2].map(() => post('/auth/login/passkey', fifth)));
		expect(uses.map(({ status }) => status).sort()).toEqual([200, 400]);
	}, 60_000);

	test('are refused with a changed signature, a counter that went back, and after five minutes', async () => {
		const owner = await newOwner();
		const person = await enrolled(owner);
		const attempt = await firstStep(person, owner);
		const { response } = attempt.credential;
		const bytes = Buffer.from(String(response['signature']), 'base64url');
		const last = bytes.length - 1;
		bytes[last] = (bytes[last] ?? 0) ^ 1;
		const forged = {
			...attempt.credential,
			response: { ...response, signature: bytes.toString('base64url') },
		};
		expect(errorCode(await post('/auth/login/passkey', { ...attempt, credential: forged }))).toBe(
			'SECOND_FACTOR_WRONG',
		);

		const good = await firstStep(person, owner);
		expect((await post('/auth/login/passkey', good)).status).toBe(200);
		await owner.setCounter(good.credential.id, 0);
		expect(errorCode(await post('/auth/login/passkey', await firstStep(person, owner)))).toBe(
			'SECOND_FACTOR_WRONG',
		);

		await owner.setCounter(good.credential.id, 100);
		const late = await firstStep(person, owner);
		auth.clock.advance(300_000);
		expect(errorCode(await post('/auth/login/passkey', late))).toBe('SIGN_IN_CHALLENGE_INVALID');
	}, 60_000);

	test('are enrolled once, in the session that began it, with the origin of the pages', async () => {
		const owner = await newOwner();
		const [person, other] = [await auth.member(), await auth.member()];
		const body = await enrolment(owner, person.accessToken);
		const stolen = await post('/auth/second-factors/passkeys', body, other.accessToken);
		expect(errorCode(stolen)).toBe('PASSKEY_REFUSED');
		const clientData = JSON.parse(
			Buffer.from(String(body.credential.response['clientDataJSON']), 'base64url').toString(),
		);
		const elsewhere = Buffer.from(JSON.stringify({ ...clientData, origin: 'https://evil.example' })).toString(
			'base64url',
		);
		const credential = {
			...body.credential,
			response: { ...body.credential.response, clientDataJSON: elsewhere },
		};
		const forged = await post('/auth/second-factors/passkeys', { ...body, credential }, person.accessToken);
		expect(errorCode(forged)).toBe('PASSKEY_REFUSED');
		const second = await enrolment(owner, person.accessToken);
		expect((await post('/auth/second-factors/passkeys', second, person.accessToken)).status).toBe(200);
		const again = await post('/auth/second-factors/passkeys', second, person.accessToken);
		expect(errorCode(again)).toBe('PASSKEY_REFUSED');
		expect(
			await auth.deps.db.selectFrom('passkeys').select('id').where('userId', '=', other.id).execute(),
		).toEqual([]);
	}, 60_000);
});

test('without PASSKEY_RP_ID in production passkeys are off', async () => {
	const production = {
		NODE_ENV: 'production',
		EMAIL_VERIFICATION: 'on',
		SMTP_URL: 'smtp://127.0.0.1:9',
		REQUIRE_MFA: 'off',
		KEY_ENCRYPTION_KEY: 'e'.repeat(64),
		SERVICE_SECRETS: `events-service=${'e'.repeat(32)}`,
		ADMIN_EMAIL: 'boss@example.org',
		ADMIN_PASSWORD: 'seven ladders behind the barn',
		PASSWORD_HASH_MEMORY_KIB: '19456',
		PASSWORD_HASH_PASSES: '2',
	};
	const auth = await runAuth({ settings: production });
	try {
		const { accessToken: token } = await auth.signIn({
			email: production.ADMIN_EMAIL,
			password: production.ADMIN_PASSWORD,
		});
		const response = await auth.call('POST', '/auth/second-factors/passkeys/options', { token });
		expect([response.status, errorCode(response)]).toEqual([409, 'PASSKEYS_NOT_CONFIGURED']);
	} finally {
		await auth.close();
	}
});
