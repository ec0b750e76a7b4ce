import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestIdentity, startTestService, type TestService } from '@paddock/testing';
import { openPing } from '../src/app.ts';
import { settings } from '../src/config.ts';

const now = () => new Date('2026-05-01T10:00:00.000Z');
let ping: TestService;

beforeAll(async () => {
	const { keys } = await createTestIdentity();
	ping = await startTestService({ opened: openPing(), keys, now });
});
afterAll(() => ping.close());

interface Pong {
	readonly reply: string;
	readonly instance: string;
	readonly uptimeSeconds: number;
	readonly at: string;
}

test('reports the instance, its start time and its clock', async () => {
	const { status, data, headers } = await ping.call<Pong>('GET', '/api/ping');
	expect(status).toBe(200);
	expect(data).toMatchObject({ reply: 'pong', at: '2026-05-01T10:00:00.000Z' });
	expect(data.instance).toMatch(new RegExp(`:${process.pid}$`));
	expect(data.uptimeSeconds).toBeGreaterThan(0);
	expect(headers.get('Cache-Control')).toBe('no-store');
});

test('each response is a new one', async () => {
	const first = await ping.call<Pong>('GET', '/api/ping');
	const second = await ping.call<Pong>('GET', '/api/ping');
	expect(second.data.uptimeSeconds).toBeGreaterThan(first.data.uptimeSeconds);
	expect(second.headers.get('ETag')).toBeNull();
});

test('an invalid token does not prevent the call', async () => {
	expect((await ping.call('GET', '/api/ping', { token: 'x' })).status).toBe(200);
});

test('it refuses parameters, other methods and other paths', async () => {
	expect((await ping.call('GET', '/api/ping?x=1')).data.code).toBe('INVALID_QUERY_PARAMETER');
	expect((await ping.call('POST', '/api/ping', { body: {} })).data.code).toBe('METHOD_NOT_ALLOWED');
	expect((await ping.call('GET', '/api/ping/')).data.code).toBe('ROUTE_NOT_FOUND');
});

test('it is ready as soon as it listens: it needs nothing', async () => {
	const response = await fetch(`${ping.url}/health`);
	expect([response.status, await response.json()]).toMatchObject([
		200,
		{ data: { status: 'UP', components: {} } },
	]);
});

test('its settings are those of every service', () => {
	expect(Object.keys(settings.shape)).toEqual(
		expect.arrayContaining(['PORT', 'HOST', 'LOG_LEVEL', 'DRAIN_MS', 'TRUSTED_PROXIES']),
	);
});
