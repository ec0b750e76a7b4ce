import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { eventually, respondWithStatus } from '@paddock/testing';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();
const path = '/api/horses';
const settings = { BREAKER_OPEN_MS: '60000', BREAKER_VOLUME: '10' };
const mebibyte = 1024 * 1024;

function breaker(gateway: BenchGateway) {
	return gateway.opened.deps.table.upstreams('horses-service')[0]?.breaker.view();
}

/** A response whose body ends after a part of it. */
function cutOff(socket: Socket): void {
	socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n${'x'.repeat(100)}`);
	setImmediate(() => socket.destroy());
}

describe('an instance that cuts off response bodies', () => {
	// Its attempts were counted as successes at their headers: 60 of 60 broken responses left the breaker closed.
	test('opens its breaker after the volume, each response counted once', async () => {
		const upstream = await bench.raw(cutOff);
		const gateway = await bench.gateway([upstream.url], settings);
		for (let round = 0; round < 9; round += 1)
			expect(await gateway.send({ path })).toMatchObject({ status: 200, complete: false });
		await eventually('all are counted', () => breaker(gateway)?.failureRate === 1);
		expect(breaker(gateway)?.state).toBe('CLOSED');
		await gateway.send({ path });
		await eventually('the breaker is open', () => breaker(gateway)?.state === 'OPEN');
		for (let round = 10; round < 60; round += 1) expect((await gateway.send({ path })).status).toBe(503);
		expect(upstream.received.filter((text) => text.startsWith(`GET ${path} `))).toHaveLength(10);
		expect(await gateway.counted('gateway_upstream_failures_total', { failure: 'cutOff' })).toBe(10);
	});

	test('opens its breaker if all responses are in flight at once', async () => {
		const upstream = await bench.raw(cutOff);
		const gateway = await bench.gateway([upstream.url], settings);
		await Promise.all(Array.from({ length: 60 }, () => gateway.send({ path })));
		await eventually('the breaker is open', () => breaker(gateway)?.state === 'OPEN');
	});

	test('reopens its breaker with the half-open request', async () => {
		let cuts = false;
		const upstream = await bench.upstream((req, res) => {
			if (!cuts) respondWithStatus(503)(req, res, '');
			else {
				res.writeHead(200, { 'Content-Length': 1_000 }).write('x'.repeat(100));
				setImmediate(() => res.destroy());
			}
		});
		const gateway = await bench.gateway([upstream.url], { ...settings, BREAKER_OPEN_MS: '100' });
		for (let round = 0; round < 10; round += 1) await gateway.send({ path });
		cuts = true;
		await eventually('the breaker is half-open', () => breaker(gateway)?.state === 'HALF_OPEN', 2_000);
		expect(await gateway.send({ path })).toMatchObject({ status: 200, complete: false });
		const reopened = { from: 'HALF_OPEN', to: 'OPEN' };
		const count = (labels: Record<string, string>) =>
			gateway.counted('gateway_circuit_breaker_transitions_total', labels);
		await eventually('it is open again', async () => (await count(reopened)) === 1, 1_000);
		expect(await count({ to: 'CLOSED' })).toBe(0);
	});

	test('opens its breaker if the bodies are cut off after the response timeout', async () => {
		const streams: Socket[] = [];
		const upstream = await bench.raw((socket) => {
			socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n');
			streams.push(socket);
		});
		const gateway = await bench.gateway([upstream.url], { ...settings, RESPONSE_TIMEOUT_MS: '1000' });
		const responses = Array.from({ length: 10 }, () => gateway.send({ path }));
		await eventually('all have begun', () => streams.length === 10);
		const longAfter = performance.now() + 1_200;
		await eventually('the response timeout has elapsed', () => performance.now() >= longAfter);
		expect(breaker(gateway)).toMatchObject({ state: 'CLOSED', failureRate: undefined });
		for (const socket of streams) socket.destroy();
		await Promise.all(responses);
		await eventually('the breaker is open', () => breaker(gateway)?.state === 'OPEN');
	});
});

describe('a client', () => {
	test.each([
		['in chunks', 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'],
		// Its connection ended as such a body does, and undici threw an exception that ended the process.
		['without a length', 'Content-Type: text/plain\r\n\r\nhello'],
	])('that disconnects during a body %s counts neither as failure nor as success', async (_name, sent) => {
		const upstream = await bench.raw((socket) => void socket.write(`HTTP/1.1 200 OK\r\n${sent}`));
		const gateway = await bench.gateway([upstream.url], { ...settings, BREAKER_VOLUME: '1' });
		for (let round = 0; round < 10; round += 1) {
			const socket = await openClient(gateway);
			await once(socket, 'data');
			socket.resetAndDestroy();
			await eventually('nothing is in flight', () => gateway.inFlight() === 0);
		}
		expect(breaker(gateway)).toMatchObject({ state: 'CLOSED', failureRate: undefined });
		expect(await gateway.counted('gateway_upstream_failures_total', {})).toBe(0);
	});

	test('that stops reading is not a failure of the instance', async () => {
		const upstream = await bench.upstream((_req, res) => {
			res.writeHead(200, { 'Content-Length': 64 * mebibyte }).end(Buffer.alloc(64 * mebibyte));
		});
		const gateway = await bench.gateway([upstream.url], {
			...settings,
			BREAKER_VOLUME: '1',
			// Less is also reached by an instance that a busy machine gives no time.
			IDLE_TIMEOUT_MS: '2000',
		});
		const socket = await openClient(gateway);
		await once(socket, 'data');
		socket.pause();
		await eventually('the instance is waiting', () => gateway.inFlight() === 1);
		await eventually('the client is disconnected', () => gateway.inFlight() === 0, 10_000);
		expect(breaker(gateway)).toMatchObject({ state: 'CLOSED', failureRate: undefined });
		expect(await gateway.counted('gateway_upstream_failures_total', {})).toBe(0);
	});
});

async function openClient(gateway: BenchGateway): Promise<Socket> {
	const socket = connect({ port: gateway.port, host: '127.0.0.1' });
	socket.on('error', () => undefined);
	bench.closing(() => void socket.destroy());
	socket.write(`GET ${path} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${gateway.identity.sign()}\r\n\r\n`);
	await once(socket, 'connect');
	return socket;
}
