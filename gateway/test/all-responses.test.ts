import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordingUpstream, respondWithStatus, type TestUpstream } from '@paddock/testing';
import { expectFailure, readResponse } from './expect-failure.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const app = 'https://app.example.org';
const local = 'http://localhost:5173';
let upstream: TestUpstream;
let failing: TestUpstream;
let gateway: TestGateway;

beforeAll(async () => {
	upstream = await recordingUpstream((_req, res) => {
		const headers = {
			'Content-Type': 'application/json',
			'Access-Control-Allow-Origin': '*',
			'X-Powered-By': 'x',
			Server: 'x',
		};
		res.writeHead(200, headers).end('{}');
	});
	failing = await recordingUpstream(respondWithStatus(500));
	gateway = await startTestGateway({
		services: {
			'ping-service': [upstream.url],
			'horses-service': [failing.url],
			'members-service': ['http://127.0.0.1:1'],
		},
		settings: { CONTEXTS: 'auth,members,horses,ping,events', CORS_ORIGINS: `${app},${local}` },
	});
});

afterAll(async () => {
	await gateway.close();
	await upstream.close();
	await failing.close();
});

const authorized = () => ({ Authorization: `Bearer ${gateway.identity.sign()}` });

describe('every response', () => {
	it.each([
		['GET', '/', 200],
		['HEAD', '/', 200],
		['GET', '/openapi.yaml', 200],
		['POST', '/', 405],
		['GET', '/nothing', 404],
		['GET', '/a//b', 400],
		['PROPFIND', '/', 405],
		['GET', '/api/ping', 200],
		['GET', '/api/horses', 500],
		['GET', '/api/members', 502],
		['GET', '/api/events', 503],
		['GET', '/actuator/health', 503],
		['GET', '/actuator/health/liveness', 200],
		['GET', '/actuator/nothing', 404],
		['GET', '/actuator/prometheus', 200],
	])('of %s %s (%i) has the security headers and names no software', async (method, path, status) => {
		const response = await fetch(gateway.url + path, { method, headers: authorized() });
		expect(response.status).toBe(status);
		const headers = Object.fromEntries(response.headers);
		expect(headers).toMatchObject({
			'x-content-type-options': 'nosniff',
			'x-frame-options': 'DENY',
			'referrer-policy': 'no-referrer',
			'cross-origin-opener-policy': 'same-origin',
			'cross-origin-resource-policy': 'same-origin',
			'content-security-policy': expect.stringContaining("default-src 'self'"),
			'x-request-id': expect.stringMatching(/./),
			traceparent: expect.stringMatching(/^00-/),
		});
		expect(headers['content-security-policy']).not.toMatch(/unsafe|\*/);
		expect(headers).not.toHaveProperty('x-powered-by');
		expect(headers).not.toHaveProperty('server');
	});

	it.each([
		['/api/members', 502, 'UPSTREAM_ERROR'],
		['/api/events', 503, 'SERVICE_UNAVAILABLE'],
		['/a/b%2f', 400, 'AMBIGUOUS_PATH'],
		['/nothing', 404, 'ROUTE_NOT_FOUND'],
		['/actuator/nothing', 404, 'ROUTE_NOT_FOUND'],
		['/actuator/health/__proto__', 404, 'NOT_FOUND'],
		['/actuator/health/constructor', 404, 'NOT_FOUND'],
	])('of %s fails with %i and exposes no internals', async (path, status, code) => {
		const response = await readResponse(await fetch(gateway.url + path, { headers: authorized() }));
		expectFailure(response, status, code);
	});
});

describe('pages of the gateway', () => {
	it.each([
		'/',
		'/openapi.yaml',
		'/actuator/health',
		'/actuator/health/liveness',
		'/actuator/health/ping',
		'/actuator/prometheus',
	])('%s is read-only: 405 with Allow for other methods, which OPTIONS lists', async (path) => {
		for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
			const response = await readResponse(await fetch(gateway.url + path, { method }));
			expectFailure(response, 405, 'METHOD_NOT_ALLOWED');
			expect(response.headers['allow']).toBe('GET, HEAD, OPTIONS');
		}
		const options = await fetch(gateway.url + path, { method: 'OPTIONS' });
		expect([options.status, options.headers.get('allow'), await options.text()]).toEqual([
			204,
			'GET, HEAD, OPTIONS',
			'',
		]);
	});

	it.each([
		'/OPENAPI.yaml',
		'/openapi.yaml/',
		'/Actuator/health',
		'/actuator/health/',
		'/actuator/',
		'/actuatorx/health',
		'/index.html',
		'/favicon.ico',
		'/api',
	])('%s returns 404', async (path) => {
		expectFailure(await readResponse(await fetch(gateway.url + path)), 404, 'ROUTE_NOT_FOUND');
	});

	it('the landing page links to the documentation, and all links work', async () => {
		const response = await fetch(`${gateway.url}/`);
		const { data } = JSON.parse(await response.text());
		expect(data.contexts.map(({ name }: { name: string }) => name)).toEqual([
			'auth',
			'members',
			'horses',
			'events',
			'ping',
		]);
		for (const link of Object.values<string>(data.links)) {
			expect((await fetch(gateway.url + link)).status).not.toBe(404);
		}
	});

	it('the OpenAPI document has its media type', async () => {
		const response = await fetch(`${gateway.url}/openapi.yaml`);
		expect(response.headers.get('content-type')).toMatch(/^application\/yaml/);
		expect(await response.text()).toMatch(/^openapi: "3.0.3"$/m);
	});
});

describe('cross-origin requests', () => {
	const preflight = (origin: string, path = '/api/horses') =>
		fetch(gateway.url + path, {
			method: 'OPTIONS',
			headers: {
				Origin: origin,
				'Access-Control-Request-Method': 'PUT',
				'Access-Control-Request-Headers': 'authorization,x-device-token',
			},
		});
	const allowedOrigin = (response: Response) => response.headers.get('access-control-allow-origin');

	it.each([app, local])('%s is allowed by name', async (origin) => {
		const preflighted = await preflight(origin);
		expect(preflighted.status).toBe(204);
		expect(Object.fromEntries(preflighted.headers)).toMatchObject({
			'access-control-allow-origin': origin,
			'access-control-allow-methods': 'GET,HEAD,POST,PUT,PATCH,DELETE',
			'access-control-allow-headers': 'authorization,x-device-token',
			'access-control-max-age': '600',
			vary: expect.stringContaining('Origin'),
		});
		expect(preflighted.headers.has('access-control-allow-credentials')).toBe(false);
		for (const [path, status] of [
			['/api/ping', 200],
			['/nothing', 404],
			['/a//b', 400],
			['/api/horses', 401],
		] as const) {
			const response = await fetch(gateway.url + path, { headers: { Origin: origin } });
			expect([response.status, allowedOrigin(response)]).toEqual([status, origin]);
			const exposed = response.headers.get('access-control-expose-headers')?.split(',');
			expect(exposed).toEqual(expect.arrayContaining(['Content-Disposition', 'ETag', 'X-Request-Id']));
		}
	});

	it.each([
		'https://app.example.org.evil.example',
		'https://evil-app.example.org',
		'https://app.example.org:8443',
		'http://app.example.org',
		'https://APP.example.org',
		'https://app.example.org/',
		'https://sub.app.example.org',
		`${app}, ${local}`,
		'null',
		'*',
		'file://',
	])('%s is not allowed', async (origin) => {
		const before = upstream.requests.length + failing.requests.length;
		const preflighted = await preflight(origin);
		expect([preflighted.status, allowedOrigin(preflighted)]).toEqual([401, null]);
		expect(upstream.requests.length + failing.requests.length).toBe(before);
		const response = await fetch(`${gateway.url}/api/ping`, { headers: { Origin: origin } });
		expect([response.status, allowedOrigin(response)]).toEqual([200, null]);
		expect(response.headers.get('vary')).toContain('Origin');
	});

	it('without CORS_ORIGINS there are no CORS headers', async () => {
		const closed = await startTestGateway({ services: { 'ping-service': [upstream.url] } });
		try {
			const response = await fetch(`${closed.url}/api/ping`, { headers: { Origin: app } });
			expect([response.status, allowedOrigin(response)]).toEqual([200, null]);
			expect(response.headers.has('vary')).toBe(false);
		} finally {
			await closed.close();
		}
	});
});
