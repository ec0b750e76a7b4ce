import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { eventually, type recordingUpstream, respondOk, respondWithStatus } from '@paddock/testing';
import { type BenchGateway, testBench } from './test-bench.ts';

type Response = NonNullable<Parameters<typeof recordingUpstream>[0]>;

const bench = testBench();
const path = '/api/horses';
const settings = { RESPONSE_TIMEOUT_MS: '2000', BREAKER_VOLUME: '5', BREAKER_OPEN_MS: '60000' };

function states(gateway: BenchGateway): string[] {
	const { table } = gateway.opened.deps;
	return table.upstreams('horses-service').map(({ breaker }) => breaker.view().state);
}

async function failUntilOpen(gateway: BenchGateway): Promise<void> {
	for (let sent = 0; sent < 50 && !states(gateway).includes('OPEN'); sent += 1)
		await gateway.send({ method: 'POST', path, body: '{}' });
	expect(states(gateway)).toEqual(['OPEN']);
}

describe('an instance that recovers', () => {
	test('becomes half-open after a successful health probe, and one successful request closes its breaker', async () => {
		let response = respondWithStatus(503);
		const upstream = await bench.upstream((...args) => response(...args));
		const gateway = await bench.gateway([upstream.url], { ...settings, BREAKER_OPEN_MS: '100' });
		await failUntilOpen(gateway);
		response = respondOk;
		const before = upstream.requests.length;
		await eventually('the breaker is half-open', () => states(gateway)[0] === 'HALF_OPEN', 5_000);
		expect(upstream.requests).toHaveLength(before);
		const health = await gateway.send({ path: '/actuator/health/horses' });
		expect(health.json().data).toMatchObject({
			status: 'DEGRADED',
			reason: 'CIRCUIT_OPEN',
			instances: [{ status: 'DEGRADED', reason: 'CIRCUIT_OPEN', breaker: { state: 'HALF_OPEN' } }],
		});
		expect((await gateway.send({ path })).status).toBe(200);
		expect(states(gateway)).toEqual(['CLOSED']);
	});

	test('stays open and gets no request while its health probes fail', async () => {
		let probes = 0;
		const url = await bench.serve(
			createServer((req, res) => {
				if (req.url === '/health') probes += 1;
				respondWithStatus(503)(req, res, '');
			}),
		);
		const gateway = await bench.gateway([url], { ...settings, BREAKER_OPEN_MS: '50' });
		await failUntilOpen(gateway);
		await eventually('three health probes have failed', () => probes >= 3, 5_000);
		expect(states(gateway)).toEqual(['OPEN']);
		const openings = { from: 'CLOSED', to: 'OPEN' };
		const count = (labels: Record<string, string>) =>
			gateway.counted('gateway_circuit_breaker_transitions_total', labels);
		expect([await count(openings), await count({})]).toEqual([1, 1]);
		const [view] = gateway.opened.deps.table.upstreams('horses-service').map(({ breaker }) => breaker.view());
		expect(view?.nextTryAt?.getTime()).toBeGreaterThan((view?.since.getTime() ?? 0) + 50);
	});

	// A successful health probe closed the breaker, so BREAKER_VOLUME requests failed per opening: 50 in 5 openings.
	test('costs one failed request per opening if only its health probes succeed', async () => {
		const upstream = await bench.upstream(respondWithStatus(503));
		const gateway = await bench.gateway([upstream.url], { ...settings, BREAKER_OPEN_MS: '50' });
		await failUntilOpen(gateway);
		const failed = upstream.requests.length;
		const reopened = { from: 'HALF_OPEN', to: 'OPEN' };
		const count = (labels: Record<string, string>) =>
			gateway.counted('gateway_circuit_breaker_transitions_total', labels);
		await eventually(
			'four more openings',
			async () => {
				await Promise.all(Array.from({ length: 5 }, () => gateway.send({ path })));
				return (await count(reopened)) >= 4;
			},
			10_000,
		);
		expect(upstream.requests.length - failed).toBe(await count(reopened));
		expect(await count({ to: 'CLOSED' })).toBe(0);
	});

	test('gets one request at a time while it is half-open; others are refused', async () => {
		const waiting: (() => void)[] = [];
		let response: Response = respondWithStatus(503);
		const upstream = await bench.upstream((...args) => response(...args));
		const gateway = await bench.gateway([upstream.url], { ...settings, BREAKER_OPEN_MS: '100' });
		await failUntilOpen(gateway);
		response = (req, res) => void waiting.push(() => respondOk(req, res));
		await eventually('the breaker is half-open', () => states(gateway)[0] === 'HALF_OPEN', 5_000);
		const probe = gateway.send({ path });
		await eventually('the half-open probe is in flight', () => waiting.length === 1);
		const others = await Promise.all(Array.from({ length: 5 }, () => gateway.send({ path })));
		expect(others.map(({ json }) => json().data['code'])).toEqual(others.map(() => 'CIRCUIT_OPEN'));
		expect(states(gateway)).toEqual(['HALF_OPEN']);
		waiting[0]?.();
		expect((await probe).status).toBe(200);
		expect(states(gateway)).toEqual(['CLOSED']);
	});

	test('whose half-open probe is a stream closes its breaker at the response timeout', async () => {
		let streams = false;
		const upstream = await bench.upstream((req, res) => {
			if (!streams) respondWithStatus(503)(req, res, '');
			else res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
		});
		const gateway = await bench.gateway([upstream.url], { ...settings, BREAKER_OPEN_MS: '100' });
		await failUntilOpen(gateway);
		streams = true;
		await eventually('the breaker is half-open', () => states(gateway)[0] === 'HALF_OPEN', 5_000);
		const stream = request({
			port: gateway.port,
			host: '127.0.0.1',
			path,
			headers: { Authorization: `Bearer ${gateway.identity.sign()}` },
			agent: false,
		}).end();
		stream.on('error', () => undefined);
		const [response] = await once(stream, 'response');
		response.on('error', () => undefined).resume();
		await eventually('the breaker is closed', () => states(gateway)[0] === 'CLOSED', 5_000);
		expect(gateway.inFlight()).toBe(1);
		stream.socket?.resetAndDestroy();
	});

	// The breaker closed at the response timeout, so an instance that stalls after each head was admitted repeatedly.
	test.each([
		['GET', undefined],
		['POST', '{}'],
	])(
		'whose half-open probe (%s) stalls after its headers becomes open again, without closing in between',
		async (method, body) => {
			let stalls = false;
			const upstream = await bench.upstream((req, res) => {
				if (!stalls) respondWithStatus(503)(req, res, '');
				else res.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
			});
			const gateway = await bench.gateway([upstream.url], {
				...settings,
				BREAKER_OPEN_MS: '100',
				RESPONSE_TIMEOUT_MS: '1000',
				IDLE_TIMEOUT_MS: '2500',
			});
			await failUntilOpen(gateway);
			stalls = true;
			await eventually('the breaker is half-open', () => states(gateway)[0] === 'HALF_OPEN', 5_000);
			const probe = gateway.send({ method, path, ...(body === undefined ? {} : { body }) });
			await eventually('the half-open probe is in flight', () => gateway.inFlight() === 1);
			expect(await probe).toMatchObject({ status: 200, complete: false });
			const count = (labels: Record<string, string>) =>
				gateway.counted('gateway_circuit_breaker_transitions_total', labels);
			await eventually(
				'it is open again',
				async () => (await count({ from: 'HALF_OPEN', to: 'OPEN' })) === 1,
			);
			expect(await count({ to: 'CLOSED' })).toBe(0);
		},
	);

	test('gets one request when half-open if it has no health page', async () => {
		let response = respondWithStatus(503);
		const upstream = await bench.upstream((...args) => response(...args), { health: 404 });
		const gateway = await bench.gateway([upstream.url], { ...settings, BREAKER_OPEN_MS: '100' });
		await failUntilOpen(gateway);
		response = respondOk;
		await eventually('the breaker is half-open', () => states(gateway)[0] === 'HALF_OPEN', 5_000);
		expect((await gateway.send({ path })).status).toBe(200);
		expect(states(gateway)).toEqual(['CLOSED']);
	});

	test('recovers after a restart at the same address', async () => {
		const upstream = await bench.upstream();
		await upstream.close();
		const gateway = await bench.gateway([upstream.url], { ...settings, BREAKER_OPEN_MS: '100' });
		await failUntilOpen(gateway);
		await upstream.reopen();
		await eventually('requests succeed', async () => (await gateway.send({ path })).status === 200, 5_000);
	});
});

describe('an instance whose registration flaps', () => {
	test('keeps its open breaker: no request reaches it', async () => {
		const upstream = await bench.upstream(respondWithStatus(503));
		const gateway = await bench.gateway([upstream.url], settings);
		await failUntilOpen(gateway);
		const before = upstream.requests.length;
		for (let round = 0; round < 5; round += 1) {
			gateway.registry.set('horses-service', []);
			gateway.registry.set('horses-service', [upstream.url]);
			expect((await gateway.send({ path })).json().data['code']).toBe('CIRCUIT_OPEN');
		}
		expect(upstream.requests).toHaveLength(before);
	});
});
