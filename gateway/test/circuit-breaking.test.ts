import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import {
	eventually,
	freePort,
	neverRespond,
	patient,
	patientGateway,
	respondOk,
	respondWithStatus,
	startStopwatch,
} from '@paddock/testing';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();
const path = '/api/horses';
const settings = { RESPONSE_TIMEOUT_MS: '100', BREAKER_VOLUME: '5', BREAKER_OPEN_MS: '60000' };

const longTimeout = { ...settings, RESPONSE_TIMEOUT_MS: '5000' };

function states(gateway: BenchGateway, service = 'horses-service'): string[] {
	return gateway.opened.deps.table.upstreams(service).map(({ breaker }) => breaker.view().state);
}

async function failUntilOpen(gateway: BenchGateway): Promise<number> {
	let sent = 0;
	while (!states(gateway).includes('OPEN')) {
		await gateway.send({ method: 'POST', path, body: '{}' });
		sent += 1;
		if (sent > 50) throw new Error('the breaker does not open');
	}
	return sent;
}

function median(values: readonly number[]): number {
	return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

describe('a failing instance', () => {
	test('gets no requests after BREAKER_VOLUME failures: immediate 503 with the seconds until the half-open state', async () => {
		const upstream = await bench.upstream(respondWithStatus(503));
		const gateway = await bench.gateway([upstream.url], settings);
		expect(await failUntilOpen(gateway)).toBe(5);
		const responses = [];
		for (let round = 0; round < 21; round += 1) responses.push(await gateway.send({ path }));
		for (const response of responses) {
			expect(response.status).toBe(503);
			expect(response.json()).toMatchObject({
				success: false,
				data: { code: 'CIRCUIT_OPEN', context: 'horses' },
			});
			expect(Number(response.headers['retry-after'])).toBeGreaterThan(50);
			expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(60);
		}
		// A busy machine delays some of the 21.
		const durations = responses.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
		expect(durations[5]).toBeLessThan(patient(10));
		expect(upstream.requests).toHaveLength(5);
		const labels = { upstream: 'horses-service', from: 'CLOSED', to: 'OPEN' };
		expect(await gateway.counted('gateway_circuit_breaker_transitions_total', labels)).toBe(1);
		expect(await gateway.counted('gateway_circuit_breaker_state', { upstream: 'horses-service' })).toBe(2);
	});

	test.each([
		['hangs', () => bench.upstream(neverRespond)],
		['resets', () => bench.raw((socket) => void socket.resetAndDestroy())],
		['returns 502', () => bench.upstream(respondWithStatus(502))],
		['returns 504', () => bench.upstream(respondWithStatus(504))],
		['sends an invalid response', () => bench.raw((socket) => void socket.end('nonsense\r\n\r\n'))],
		['refuses connections', async () => ({ url: `http://127.0.0.1:${await freePort()}` })],
	])('that %s opens its breaker', async (_name, open) => {
		const gateway = await bench.gateway([(await open()).url], settings);
		expect(await failUntilOpen(gateway)).toBe(5);
	});

	test.each([503, 504])('is not one that returns %i because another service fails', async (status) => {
		const upstream = await bench.upstream((_req, res) => {
			res.writeHead(status, { 'Content-Type': 'application/json', 'X-Failed-Part': 'members-service' });
			res.end('{"success":false}');
		});
		const other = await bench.upstream(respondOk);
		const gateway = await bench.gateway([upstream.url], longTimeout);
		for (let round = 0; round < 20; round += 1) {
			const response = await gateway.send({ path });
			expect([response.status, response.headers['x-failed-part']]).toEqual([status, undefined]);
		}
		expect(states(gateway)).toEqual(['CLOSED']);
		expect(upstream.requests).toHaveLength(20);
		const both = await bench.gateway([upstream.url, other.url], longTimeout);
		for (let round = 0; round < 20; round += 1) await both.send({ path });
		// No retry: the instance itself works.
		expect(upstream.requests.length + other.requests.length).toBe(40);
	});

	test('is not one without its database, whose reads another instance may serve', async () => {
		const upstream = await bench.upstream((_req, res) => {
			res.writeHead(503, { 'Content-Type': 'application/json', 'X-Failed-Part': 'database' });
			res.end('{"success":false}');
		});
		const alone = await bench.gateway([upstream.url], longTimeout);
		for (let round = 0; round < 20; round += 1) {
			const response = await alone.send({ method: 'POST', path, body: '{}' });
			expect([response.status, response.headers['x-failed-part']]).toEqual([503, undefined]);
		}
		expect(states(alone)).toEqual(['CLOSED']);
		const other = await bench.upstream(respondOk);
		const both = await bench.gateway([upstream.url, other.url], longTimeout);
		for (let round = 0; round < 20; round += 1) expect((await both.send({ path })).status).toBe(200);
		expect(states(both)).toEqual(['CLOSED', 'CLOSED']);
		expect(other.requests).toHaveLength(20);
	});

	test('opens its breaker in a burst of requests that all hang', async () => {
		const upstream = await bench.upstream(neverRespond);
		const gateway = await bench.gateway([upstream.url], settings);
		await Promise.all(Array.from({ length: 20 }, () => gateway.send({ path })));
		expect(states(gateway)).toEqual(['OPEN']);
	});

	test.each([400, 401, 403, 404, 409, 422, 429, 500, 501])('is not one that returns %i', async (status) => {
		const upstream = await bench.upstream(respondWithStatus(status));
		const gateway = await bench.gateway([upstream.url], longTimeout);
		for (let round = 0; round < 15; round += 1) await gateway.send({ path });
		expect(upstream.requests).toHaveLength(15);
		expect(states(gateway)).toEqual(['CLOSED']);
	});

	test('is not one whose clients reset their connections, which it learns within 100 ms', async () => {
		let elapsedMs = (): number => Number.NaN;
		let closedAfterMs: number | undefined;
		const upstream = await bench.raw((socket) => {
			socket.once('close', () => {
				closedAfterMs = elapsedMs();
			});
		});
		const gateway = await bench.gateway([upstream.url], { ...settings, RESPONSE_TIMEOUT_MS: '5000' });
		const token = gateway.identity.sign();
		for (let round = 0; round < 10; round += 1) {
			const socket = connect({ port: gateway.port, host: '127.0.0.1' });
			await once(socket, 'connect');
			socket.write(`GET ${path} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${token}\r\n\r\n`);
			await eventually(
				'the request is in flight',
				() => gateway.inFlight() === 1 && upstream.received.length > round,
			);
			closedAfterMs = undefined;
			elapsedMs = startStopwatch();
			socket.resetAndDestroy();
			await eventually('the connection to the instance is closed', () => closedAfterMs !== undefined, 1_000);
			expect(closedAfterMs).toBeLessThan(patient(100));
			await eventually('nothing is in flight', () => gateway.inFlight() === 0, 1_000);
		}
		expect(states(gateway)).toEqual(['CLOSED']);
		const requests = () => gateway.counted('gateway_requests_total', { route: path, status: '499' });
		await eventually('all requests are counted', async () => (await requests()) === 10);
		expect(await gateway.counted('gateway_upstream_failures_total', {})).toBe(0);
	});
});

describe('one failing instance of two', () => {
	test('gets no requests once its breaker is open; all requests succeed', async () => {
		const [bad, good] = [await bench.upstream(respondWithStatus(503)), await bench.upstream()];
		// Not the short time-out: on a busy machine a retry takes longer.
		const gateway = await bench.gateway([bad.url, good.url], longTimeout);
		for (let round = 0; round < 100 && !states(gateway).includes('OPEN'); round += 1)
			expect((await gateway.send({ path })).status).toBe(200);
		expect(states(gateway)).toEqual(['OPEN', 'CLOSED']);
		const before = bad.requests.length;
		for (let round = 0; round < 30; round += 1)
			expect((await gateway.send({ method: 'POST', path, body: '{}' })).status).toBe(200);
		expect(bad.requests).toHaveLength(before);
	});
});

describe('a failing context', () => {
	test('does not slow down another, however many of its requests hang', async () => {
		let release = (): void => undefined;
		const released = new Promise<void>((resolve) => {
			release = resolve;
		});
		const hanging = await bench.upstream((_req, res) => void released.then(() => res.end('{}')));
		const quick = await bench.upstream();
		const gateway = await bench.start({
			services: { 'horses-service': [hanging.url], 'members-service': [quick.url] },
			settings: {
				...patientGateway,
				UPSTREAM_SOCKETS_MAX: '10',
				BREAKER_VOLUME: '1000',
			},
		});
		const unaffected = await bench.gateway([quick.url], patientGateway);
		let ended = 0;
		const send = () =>
			gateway.send({ path }).finally(() => {
				ended += 1;
			});
		const hung = Promise.all(Array.from({ length: 40 }, send));
		// Ten are sent, ten are queued, and the others are refused at once.
		await eventually('20 of them hang', () => hanging.requests.length === 10 && gateway.inFlight() === 20);
		await eventually('the others are refused', () => ended === 20);
		// By turns: a busy machine delays both.
		const times = { besideHanging: [] as number[], alone: [] as number[] };
		for (let round = 0; round < 60; round += 1) {
			const response = await gateway.send({ path: '/api/members' });
			expect(response.status).toBe(200);
			times.besideHanging.push(response.durationMs);
			times.alone.push((await unaffected.send({ path })).durationMs);
		}
		expect(gateway.inFlight()).toBe(20);
		expect(median(times.besideHanging)).toBeLessThan(median(times.alone) * 3 + 5);
		release();
		const responses = await hung;
		expect(hanging.connections()).toBeLessThanOrEqual(20);
		expect(responses.filter(({ status }) => status === 200)).toHaveLength(20);
		const refused = responses.filter(({ status }) => status === 503);
		expect(refused).toHaveLength(20);
		for (const response of refused) {
			expect(response.headers['retry-after']).toBe('2');
			expect(response.json()).toMatchObject({ data: { code: 'OVERLOADED' } });
		}
	});
});
