import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
	createTestIdentity,
	recordingUpstream,
	respondWithEnvelope,
	type TestUpstream,
} from '@paddock/testing';
import { type SentRequest, sendRequest } from './send-request.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const json = { 'Content-Type': 'application/json' };
const console = { 'X-Refresh-Cookie': 'on', 'Sec-Fetch-Site': 'same-origin' };
const token = 'o1Y3pXQp1cXo7mJwq0sG1rJm2y3cQb4yqGJm8n9sYtE';
const tokens = { accessToken: 'a', refreshToken: token, refreshExpiresIn: 1_209_600, user: { id: 'u' } };

/** Whether the stub of auth accepts the refresh token. */
let isAccepted = true;

const identity = await createTestIdentity();

async function startAuth(): Promise<TestUpstream> {
	return recordingUpstream((req, res) => {
		if (req.url?.startsWith('/.well-known/')) {
			res.writeHead(200, { 'Content-Type': 'application/jwk-set+json' }).end(JSON.stringify(identity.jwks));
			return;
		}
		const isRefused = req.url === '/auth/refresh' && !isAccepted;
		if (isRefused) respondWithEnvelope(res, 401, { code: 'INVALID_TOKEN' });
		else
			respondWithEnvelope(res, 200, req.url === '/auth/login/passkey-options' ? { challenge: 'c' } : tokens);
	});
}

describe('the cookie of the pages', () => {
	let auth: TestUpstream;
	let gateway: TestGateway;
	beforeAll(async () => {
		auth = await startAuth();
		const services = { 'auth-service': [auth.url] };
		gateway = await startTestGateway({ identity, services, settings: { TRUSTED_PROXIES: '127.0.0.1' } });
	});
	afterAll(async () => {
		await gateway?.close();
		await auth?.close();
	});
	beforeEach(() => {
		isAccepted = true;
	});

	const post = (path: string, headers: Record<string, string>, body: SentRequest['body'] = '{}') =>
		sendRequest(gateway.port, {
			method: 'POST',
			path,
			headers: { ...json, ...headers },
			...(body && { body }),
		});
	const forwarded = (path: string) => auth.requests.filter(({ url }) => url === path).at(-1);

	test('has the refresh token of a sign-in, which scripts never see', async () => {
		const { status, headers, body } = await post('/auth/login', console);
		expect(status).toBe(200);
		expect(body).not.toContain(token);
		expect(JSON.parse(body).data).toEqual({ ...tokens, refreshToken: 'cookie' });
		expect(headers['set-cookie']).toEqual([
			`paddock.refresh=${token}; Path=/auth/refresh; HttpOnly; Max-Age=1209600; SameSite=Strict`,
			'paddock.session=on; Path=/app; Max-Age=1209600; SameSite=Strict',
		]);
	});

	test.each(['/auth/login/second-factor', '/auth/login/passkey', '/auth/oidc/exchange', '/auth/oidc/link'])(
		'has that of %s as well',
		async (path) => {
			const { headers, body } = await post(path, console);
			expect(body).not.toContain(token);
			expect(headers['set-cookie']?.[0]).toContain(`paddock.refresh=${token};`);
		},
	);

	test('is for https only if the client came by https', async () => {
		const { headers } = await post('/auth/login', { ...console, 'X-Forwarded-Proto': 'https' });
		for (const cookie of headers['set-cookie'] ?? []) expect(cookie).toMatch(/; Secure$/);
		expect(headers['set-cookie']).toHaveLength(2);
	});

	test('is sent to auth in the body of a refresh, and in no header', async () => {
		const cookie = `other=1; paddock.refresh=${token}`;
		const { status, headers } = await post('/auth/refresh', { ...console, Cookie: cookie });
		expect(status).toBe(200);
		expect(JSON.parse(forwarded('/auth/refresh')?.body ?? '')).toEqual({ refreshToken: token });
		expect(forwarded('/auth/refresh')?.headers).not.toHaveProperty('cookie');
		expect(headers['set-cookie']?.[0]).toContain(token);
	});

	test('is read without a body in the request', async () => {
		const headers = { ...console, Cookie: `paddock.refresh=${token}` };
		await sendRequest(gateway.port, { method: 'POST', path: '/auth/refresh', headers });
		expect(JSON.parse(forwarded('/auth/refresh')?.body ?? '')).toEqual({ refreshToken: token });
	});

	test.each([
		['a form of another site, which can send no such header', {}],
		['another host of the same site', { ...console, 'Sec-Fetch-Site': 'same-site' }],
		['another site', { ...console, 'Sec-Fetch-Site': 'cross-site' }],
	])('has no effect in a request of %s', async (_from, headers) => {
		const sent = JSON.stringify({ refreshToken: 'their own' });
		const refreshed = await post('/auth/refresh', { ...headers, Cookie: `paddock.refresh=${token}` }, sent);
		expect(JSON.parse(forwarded('/auth/refresh')?.body ?? '')).toEqual({ refreshToken: 'their own' });
		expect(refreshed.headers).not.toHaveProperty('set-cookie');
		const signedIn = await post('/auth/login', headers);
		expect(signedIn.headers).not.toHaveProperty('set-cookie');
	});

	test.each([
		['none', {}],
		[
			'two, one of which another host has set',
			{ Cookie: `paddock.refresh=${token}; paddock.refresh=${token}x` },
		],
		['one that is no token', { Cookie: 'paddock.refresh=%22' }],
	])('%s: the refresh is refused', async (_which, headers) => {
		const { status, json: envelope } = await post('/auth/refresh', { ...console, ...headers });
		expect([status, envelope().data['code']]).toEqual([401, 'INVALID_TOKEN']);
	});

	test('is removed with the session: by a sign-out, and when auth refuses the token', async () => {
		isAccepted = false;
		const refused = await post('/auth/refresh', { ...console, Cookie: `paddock.refresh=${token}` });
		expect(refused.status).toBe(401);
		const left = await sendRequest(gateway.port, {
			...{ method: 'POST', path: '/auth/logout', headers: console },
			token: identity.sign(),
		});
		for (const { headers } of [refused, left]) {
			expect(headers['set-cookie']).toEqual([
				'paddock.refresh=; Path=/auth/refresh; HttpOnly; Max-Age=0; SameSite=Strict',
				'paddock.session=; Path=/app; Max-Age=0; SameSite=Strict',
			]);
		}
	});

	test('does not change a step of a sign-in that issues no tokens', async () => {
		const { headers, body } = await post('/auth/login/passkey-options', console);
		expect(JSON.parse(body).data).toEqual({ challenge: 'c' });
		expect(headers).not.toHaveProperty('set-cookie');
	});
});

test('without the console the header has no effect', async () => {
	const auth = await startAuth();
	const services = { 'auth-service': [auth.url] };
	const gateway = await startTestGateway({ services, settings: { CONSOLE: 'off' } });
	const sent = { method: 'POST', path: '/auth/login', headers: { ...json, ...console }, body: '{}' };
	const { headers, body } = await sendRequest(gateway.port, sent);
	expect(body).toContain(token);
	expect(headers).not.toHaveProperty('set-cookie');
	await gateway.close();
	await auth.close();
});
