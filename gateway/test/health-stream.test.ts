import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { sessionSubject } from '@paddock/identity';
import { eventually, patient, respondWithStatus, startStopwatch } from '@paddock/testing';
import { expectFailure } from './expect-failure.ts';
import { type HealthEvent, listenToHealth } from './health-listener.ts';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();
const path = '/actuator/health/stream';

const listen = (gateway: BenchGateway, headers: Record<string, string> = {}) =>
	listenToHealth(bench, gateway, headers);
const listeners = (gateway: BenchGateway) => gateway.counted('gateway_health_listeners', {});

describe('the health stream', () => {
	test('sends the data of the health page and the history at once, and then every second', async () => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url]);
		const startedAt = performance.now();
		const firstAfterMs = startStopwatch();
		const thirdAfterMs = startStopwatch();
		const stream = await listen(gateway);
		await eventually('the first event', () => stream.events().length === 1);
		expect(firstAfterMs()).toBeLessThan(patient(900));
		expect(stream).toMatchObject({
			status: 200,
			headers: {
				'content-type': 'text/event-stream; charset=utf-8',
				'cache-control': 'no-store, no-transform',
				'x-accel-buffering': 'no',
			},
		});
		await eventually('three events', () => stream.events().length === 3);
		expect(performance.now() - startedAt).toBeGreaterThan(1_900);
		expect(thirdAfterMs()).toBeLessThan(patient(3_500));
		const [first, , third] = stream.events();
		const page = await gateway.send({ path: '/actuator/health' });
		const { components } = page.json().data as unknown as HealthEvent['health'];
		expect(Object.keys(first?.health.components ?? {})).toEqual(Object.keys(components));
		expect(first?.health.components['horses']).toMatchObject({ status: 'UP', instances: [{ status: 'UP' }] });
		expect(new Date(third?.at ?? '') > new Date(first?.at ?? '')).toBe(true);
		expect(stream.text().startsWith('retry: 1000\n\n')).toBe(true);
	});

	test('sends state changes with their causes, like the history page', async () => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url]);
		const stream = await listen(gateway);
		await eventually('the first event', () => stream.events().length === 1);
		await upstream.close();
		await eventually('the change is sent', () => (stream.events().at(-1)?.history.length ?? 0) > 0);
		const change = {
			context: 'horses',
			what: 'health',
			from: 'UP',
			to: 'DOWN',
			cause: expect.stringContaining('ERROR'),
			instance: expect.any(String),
			at: expect.stringMatching(/Z$/),
		};
		expect(stream.events().at(-1)?.history[0]).toEqual(change);
		const page = (await gateway.send({ path: '/actuator/health/history' })).json();
		expect(page).toMatchObject({ success: true, data: { items: [change] } });
	});

	test('makes no probes without listeners, and a disconnecting listener is not a failure', async () => {
		const gateway = await bench.gateway([]);
		const stream = await listen(gateway);
		await eventually('one listener', async () => (await listeners(gateway)) === 1);
		stream.leave();
		await eventually('no listener', async () => (await listeners(gateway)) === 0);
		const labels = { route: path };
		await eventually(
			'the request is counted with 200',
			async () => (await gateway.counted('gateway_requests_total', { ...labels, status: '200' })) === 1,
		);
		expect(await gateway.counted('gateway_requests_total', { ...labels, status: '499' })).toBe(0);
	});

	test('is limited per client network; other networks are not affected', async () => {
		const settings = { HEALTH_LISTENERS_PER_CLIENT_MAX: '2', TRUSTED_PROXIES: '127.0.0.1' };
		const gateway = await bench.gateway([], settings);
		const from = (address: string) => ({ 'X-Forwarded-For': address });
		const [first] = [await listen(gateway, from('203.0.113.1')), await listen(gateway, from('203.0.113.1'))];
		const refused = await gateway.send({ path, headers: from('203.0.113.1') });
		expectFailure(
			{ status: refused.status, headers: refused.headers as Record<string, string>, body: refused.body },
			429,
			'RATE_LIMITED',
		);
		expect(refused.headers['retry-after']).toBe('5');
		expect((await listen(gateway, from('203.0.113.2'))).status).toBe(200);
		// An IPv6 client usually has a /64.
		for (const host of ['1', '2']) await listen(gateway, from(`2001:db8::${host}`));
		expect((await listen(gateway, from('2001:db8::3'))).status).toBe(429);
		first?.leave();
		await eventually('its slot is free again', async () => (await listeners(gateway)) === 4);
		expect((await listen(gateway, from('203.0.113.1'))).status).toBe(200);
	});

	test('is refused above HEALTH_LISTENERS_MAX', async () => {
		const gateway = await bench.gateway([], { HEALTH_LISTENERS_MAX: '2' });
		const [first] = [await listen(gateway), await listen(gateway)];
		const refused = await gateway.send({ path });
		expectFailure(
			{ status: refused.status, headers: refused.headers as Record<string, string>, body: refused.body },
			503,
			'OVERLOADED',
		);
		expect(refused.headers['retry-after']).toBe('5');
		first?.leave();
		await eventually('a slot is free again', async () => (await listeners(gateway)) === 1);
		expect((await listen(gateway)).status).toBe(200);
	});

	test('ends with an event when the gateway shuts down', async () => {
		const gateway = await bench.gateway([]);
		const stream = await listen(gateway);
		await eventually('the first event', () => stream.events().length === 1);
		gateway.opened.announceClose();
		await eventually('the stream has ended', () => stream.ended(), 1_000);
		expect(stream.text().endsWith('event: bye\ndata: {}\n\n')).toBe(true);
		expect((await gateway.send({ path })).status).toBe(503);
	});

	test('HEAD returns the headers without a stream', async () => {
		const gateway = await bench.gateway([]);
		const response = await gateway.send({ method: 'HEAD', path });
		expect(response).toMatchObject({ status: 200, complete: true, body: '' });
	});
});

describe('with HEALTH_DETAILS=authorized', () => {
	const settings = { HEALTH_DETAILS: 'authorized', BREAKER_VOLUME: '2', BREAKER_OPEN_MS: '60000' };
	const brief = { status: expect.any(String) };

	test.each([
		['an anonymous client', undefined],
		['a member', 'MEMBER'],
		['a bad token', 'bad'],
	])('%s sees the status of each component only', async (_name, role) => {
		const upstream = await bench.upstream(respondWithStatus(503));
		const gateway = await bench.gateway([upstream.url], settings);
		for (let round = 0; round < 2; round += 1) await gateway.send({ path: '/api/horses' });
		const token = role === 'bad' ? 'x.y.z' : gateway.identity.sign();
		const headers: Record<string, string> = role === undefined ? {} : { Authorization: `Bearer ${token}` };
		const read = async (at: string) => {
			const response = await fetch(`${gateway.url}${at}`, { headers });
			return (await response.json()) as { data: Record<string, unknown> };
		};
		const { data } = await read('/actuator/health');
		expect(Object.keys(data)).toEqual(['status', 'components']);
		for (const component of Object.values(data['components'] as object)) expect(component).toEqual(brief);
		expect((await read('/actuator/health/horses')).data).toEqual({ status: 'DOWN' });
		const stream = await listen(gateway, headers);
		await eventually('an event', () => stream.events().length > 0);
		expect(Object.values(stream.events()[0]?.health.components ?? {})).toContainEqual({ status: 'DOWN' });
		const { items } = (await read('/actuator/health/history')).data as { items: object[] };
		expect(items[0]).toEqual({
			at: expect.any(String),
			context: 'horses',
			what: 'breaker',
			from: 'CLOSED',
			to: 'OPEN',
		});
		expect(stream.text()).not.toMatch(/127\.0\.0\.1|responded with 503/);
		const refused = await fetch(`${gateway.url}/actuator/breakers`, { headers });
		expect(refused.status).toBe(role === 'MEMBER' ? 403 : 401);
	});

	test.each(['FEDERATION_OFFICER', 'ADMIN'] as const)('%s sees everything', async (role) => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url], settings);
		const headers = { Authorization: `Bearer ${gateway.identity.sign({ roles: [role] })}` };
		const response = await fetch(`${gateway.url}/actuator/health`, { headers });
		expect(await response.json()).toMatchObject({
			data: { components: { horses: { instances: [{ status: 'UP' }] } } },
		});
		const stream = await listen(gateway, headers);
		await eventually('an event', () => stream.events().length > 0);
		expect(stream.events()[0]?.health.components['horses']?.instances).toHaveLength(1);
		expect((await fetch(`${gateway.url}/actuator/breakers`, { headers })).status).toBe(200);
	});

	test('a stream shows no details any more once its token is revoked', async () => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url], settings);
		const sessionId = randomUUID();
		const headers = { Authorization: `Bearer ${gateway.identity.sign({ roles: ['ADMIN'], sessionId })}` };
		const stream = await listen(gateway, headers);
		await eventually('an event', () => stream.events().length > 0);
		expect(stream.events()[0]?.health.components['horses']?.instances).toHaveLength(1);
		gateway.auth.revoke({ subject: sessionSubject(sessionId), before: null });
		const latest = () => stream.events().at(-1)?.health.components['horses'];
		await eventually('the public view', () => latest()?.instances === undefined, 5_000);
		expect(latest()).toEqual({ status: 'UP' });
		expect(stream.ended()).toBe(false);
	});

	test('liveness and readiness are visible to all callers', async () => {
		const gateway = await bench.gateway([], settings);
		const statusOf = async (page: string) => (await fetch(`${gateway.url}/actuator/health/${page}`)).status;
		expect(await statusOf('liveness')).toBe(200);
		await eventually('it is ready', async () => (await statusOf('readiness')) === 200);
	});
});
