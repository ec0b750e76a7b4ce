import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { recordingUpstream, type TestUpstream } from '@paddock/testing';
import { expectFailure, readResponse } from './expect-failure.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

let upstream: TestUpstream;
let gateway: TestGateway;

beforeAll(async () => {
	upstream = await recordingUpstream();
});

afterAll(() => upstream.close());
afterEach(() => gateway.close());

async function start(settings: Record<string, string>): Promise<void> {
	gateway = await startTestGateway({
		services: { 'horses-service': [upstream.url], 'ping-service': [upstream.url] },
		settings: { CONTEXTS: 'auth,horses,ping', ...settings },
	});
}

async function call(path: string, init: RequestInit & { token?: string } = {}) {
	const { token, headers, ...rest } = init;
	const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
	return readResponse(
		await fetch(gateway.url + path, {
			...rest,
			headers: { ...headers, ...authorization } as Record<string, string>,
		}),
	);
}

async function statuses(
	count: number,
	path: string,
	init: RequestInit & { token?: string } = {},
): Promise<number[]> {
	const seen: number[] = [];
	for (let at = 0; at < count; at += 1) seen.push((await call(path, init)).status);
	return seen;
}

describe('rate limits', () => {
	it('count down on each response and end in 429 with Retry-After', async () => {
		await start({ RATE_LIMIT_ANONYMOUS: '3' });
		for (const remaining of ['2', '1', '0']) {
			const { status, headers } = await call('/api/ping');
			expect({ status, ...headers }).toMatchObject({
				status: 200,
				'ratelimit-limit': '3',
				'ratelimit-remaining': remaining,
			});
		}
		const before = upstream.requests.length;
		const refused = await call('/api/ping');
		expectFailure(refused, 429, 'RATE_LIMITED');
		expect(refused.headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '0' });
		const retryAfterS = Number(refused.headers['retry-after']);
		expect(retryAfterS).toBeGreaterThan(0);
		expect(retryAfterS).toBeLessThanOrEqual(60);
		expect(Number(refused.headers['ratelimit-reset'])).toBe(retryAfterS);
		expect(upstream.requests.length).toBe(before);
		const metrics = await gateway.opened.deps.operations.metrics.registry.metrics();
		expect(metrics).toMatch(/gateway_rate_limit_total\{[^}]*policy="anonymous",outcome="allowed"[^}]*\} 3/);
		expect(metrics).toMatch(/gateway_rate_limit_total\{[^}]*policy="anonymous",outcome="limited"[^}]*\} 1/);
	});

	it('count by user with a valid token, not by the address that users share', async () => {
		await start({ RATE_LIMIT_ANONYMOUS: '1', RATE_LIMIT_USER: '2' });
		const userId = randomUUID();
		const first = () => ({ token: gateway.identity.sign({ userId }) });
		expect(await statuses(1, '/api/horses', first())).toEqual([200]);
		expect(await statuses(2, '/api/horses', first())).toEqual([200, 429]);
		expect(await statuses(3, '/api/horses', { token: gateway.identity.sign() })).toEqual([200, 200, 429]);
		expect(await statuses(2, '/api/ping')).toEqual([200, 429]);
	});

	it('have a separate value for officers', async () => {
		await start({ RATE_LIMIT_USER: '1', RATE_LIMIT_OFFICER: '3' });
		for (const role of ['FEDERATION_OFFICER', 'ADMIN'] as const) {
			expect(await statuses(4, '/api/horses', { token: gateway.identity.sign({ roles: [role] }) })).toEqual([
				200, 200, 200, 429,
			]);
		}
		expect(
			await statuses(2, '/api/horses', { token: gateway.identity.sign({ roles: ['ORGANISER'] }) }),
		).toEqual([200, 429]);
	});

	it('count requests with refused tokens', async () => {
		await start({ RATE_LIMIT_ANONYMOUS: '2' });
		expect(await statuses(1, '/api/horses')).toEqual([401]);
		expect(await statuses(2, '/api/horses', { token: 'x' })).toEqual([401, 429]);
		expect(await statuses(1, '/api/horses', { token: gateway.identity.sign() })).toEqual([200]);
	});

	it('ignore a forwarded address from an untrusted peer', async () => {
		await start({ RATE_LIMIT_ANONYMOUS: '2' });
		const seen: number[] = [];
		for (let at = 0; at < 5; at += 1) {
			const address = `203.0.113.${at}`;
			const headers = {
				'X-Forwarded-For': address,
				'X-Real-IP': address,
				Forwarded: `for=${address}`,
				'True-Client-IP': address,
			};
			seen.push((await call('/api/ping', { headers })).status);
		}
		expect(seen).toEqual([200, 200, 429, 429, 429]);
	});

	it('count by the forwarded address behind a trusted proxy, with one count per IPv6 /64', async () => {
		await start({ RATE_LIMIT_ANONYMOUS: '1', TRUSTED_PROXIES: '127.0.0.1' });
		const from = async (address: string) =>
			(await call('/api/ping', { headers: { 'X-Forwarded-For': address } })).status;
		expect([await from('203.0.113.1'), await from('203.0.113.2'), await from('203.0.113.1')]).toEqual([
			200, 200, 429,
		]);
		expect([await from('2001:db8::1'), await from('2001:db8::2'), await from('2001:db8:0:1::1')]).toEqual([
			200, 429, 200,
		]);
	});

	it('count each client of a proxy on its own, in whatever form it reports their addresses', async () => {
		await start({ RATE_LIMIT_ANONYMOUS: '1', RATE_LIMIT_SIGN_IN: '1', TRUSTED_PROXIES: '127.0.0.1' });
		const forms = [
			{ 'X-Forwarded-For': '203.0.113.1:5012' },
			{ 'X-Forwarded-For': '"203.0.113.2:5012"' },
			{ 'X-Forwarded-For': '198.51.100.1, 203.0.113.3,' },
			{ 'X-Forwarded-For': '[2001:db8:0:1::1]:4711' },
			{ Forwarded: 'for=203.0.113.4:4711' },
			{ Forwarded: 'for="[2001:db8:0:2::1]:4711";proto=https' },
		];
		const call2 = async (headers: Record<string, string>) => [
			(await call('/api/ping', { headers })).status,
			(await call('/auth/login', { method: 'POST', headers })).status,
		];
		for (const headers of forms) expect([headers, await call2(headers)]).toEqual([headers, [200, 200]]);
		for (const headers of forms) expect([headers, await call2(headers)]).toEqual([headers, [429, 429]]);
		expect(await call2({ 'X-Forwarded-For': '203.0.113.1:1' })).toEqual([429, 429]);
	});

	it('count sign-ins and registrations together, by address, even with a token', async () => {
		await start({ RATE_LIMIT_SIGN_IN: '3', RATE_LIMIT_USER: '100' });
		const post = (path: string, token?: string) =>
			call(path, { method: 'POST', ...(token === undefined ? {} : { token }) });
		const responses = [
			await post('/auth/login'),
			await post('/auth/register', gateway.identity.sign()),
			await post('/auth/login', gateway.identity.sign()),
			await post('/auth/register'),
			await post('/auth/login'),
		];
		expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
	});

	it.each(['/auth/login/', '/auth/Login', '/auth/%6cogin', '/auth/login.'])(
		'%s does not bypass the limit of sign-ins',
		async (path) => {
			await start({ RATE_LIMIT_ANONYMOUS: '1' });
			const refused = path.endsWith('/') ? 404 : 401;
			expect(await statuses(2, path, { method: 'POST' })).toEqual([refused, 429]);
			expect(gateway.auth.requests.filter(({ method }) => method === 'POST')).toEqual([]);
		},
	);

	it('of 0 are off', async () => {
		await start({ RATE_LIMIT_ANONYMOUS: '0' });
		const { status, headers } = await call('/api/ping');
		expect(status).toBe(200);
		expect(headers).not.toHaveProperty('ratelimit-limit');
	});

	it.each([
		'/',
		'/docs',
		'/openapi.yaml',
		'/status',
		'/nothing/here',
		'/actuator/nothing',
		'/actuator/health',
		'/actuator/health/gateway',
		'/actuator/health/history',
		'/actuator/health/samples',
		'/actuator/metrics',
		'/actuator/info',
		'/actuator/prometheus',
		'/actuator/prometheus/targets',
		'/actuator/breakers',
		'/actuator/health/liveness/',
		'/actuator/health/stream?events=1',
	])('apply to the gateway page %s, by address', async (path) => {
		await start({ RATE_LIMIT_ANONYMOUS: '2' });
		const [first = 0, second, third] = await statuses(3, path);
		expect([second, third]).toEqual([first, 429]);
		expect(first).not.toBe(429);
		const refused = await call(path);
		expectFailure(refused, 429, 'RATE_LIMITED');
		expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
		// Pages and routes share one limit.
		expect(await statuses(1, '/api/ping')).toEqual([429]);
	});

	it('count the files of pages separately, up to ten times the limit', async () => {
		await start({ RATE_LIMIT_ANONYMOUS: '2' });
		const path = '/assets/portal.css';
		expect(new Set(await statuses(20, path))).toEqual(new Set([200]));
		expect(await statuses(1, path, { token: gateway.identity.sign() })).toEqual([429]);
		expect(await statuses(3, '/api/ping')).toEqual([200, 200, 429]);
	});

	it.each(['/actuator/health/liveness', '/actuator/health/readiness'])('do not apply to %s', async (path) => {
		await start({ RATE_LIMIT_ANONYMOUS: '1' });
		expect(await statuses(3, '/api/ping')).toEqual([200, 429, 429]);
		expect(await statuses(3, path)).toEqual([200, 200, 200]);
		expect((await call(path)).headers).not.toHaveProperty('ratelimit-limit');
	});

	it('count by user on gateway pages with a valid token', async () => {
		await start({ RATE_LIMIT_ANONYMOUS: '1', RATE_LIMIT_USER: '3' });
		const token = gateway.identity.sign();
		expect(await statuses(4, '/actuator/info', { token })).toEqual([200, 200, 200, 429]);
		expect(await statuses(2, '/actuator/info', { token: 'x.y.z' })).toEqual([200, 429]);
	});

	it('admit the exact number of concurrent requests', async () => {
		await start({ RATE_LIMIT_ANONYMOUS: '7' });
		const all = await Promise.all(Array.from({ length: 30 }, () => call('/api/ping')));
		expect(all.filter(({ status }) => status === 200)).toHaveLength(7);
		expect(all.filter(({ status }) => status === 429)).toHaveLength(23);
	});
});
