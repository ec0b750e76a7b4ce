import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { eventually, patient, patientGateway, respondOk } from '@paddock/testing';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();
const unreadMs = Math.ceil(Math.min(2_000, patient(500)));
const bundle = 'GET /assets/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n';

/** Sends a request and reads nothing until the test does. */
async function sendUnread(gateway: BenchGateway, bytes: string): Promise<Socket> {
	const socket = connect({ port: gateway.port, host: '127.0.0.1' }).pause();
	socket.on('error', () => undefined); // Some tests expect a reset.
	bench.closing(() => void socket.destroy());
	await once(socket, 'connect');
	socket.write(bytes);
	return socket;
}

const inFlight = (gateway: BenchGateway) => gateway.counted('gateway_requests_in_flight', {});

describe('a client that does not read its responses', () => {
	// Node has no timeout for them: connections of such clients filled IN_FLIGHT_MAX permanently.
	test('is disconnected, and its requests end', async () => {
		const gateway = await bench.start({ settings: { IDLE_TIMEOUT_MS: String(unreadMs) } });
		// More than the socket buffers of both ends.
		await sendUnread(gateway, bundle.repeat(30));
		await eventually('one is in flight', async () => (await inFlight(gateway)) === 1);
		await eventually('none is in flight', async () => (await inFlight(gateway)) === 0, 10 * unreadMs);
	});

	test('gets the whole response if it reads slowly', async () => {
		const gateway = await bench.start({ settings: { IDLE_TIMEOUT_MS: String(unreadMs) } });
		const size = (await gateway.send({ path: '/assets/swagger-ui-bundle.js' })).body.length;
		const socket = await sendUnread(
			gateway,
			bundle.repeat(10).replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n'),
		);
		const startedAt = performance.now();
		let bytes = 0;
		let rested = 0;
		for await (const chunk of socket) {
			bytes += (chunk as Buffer).length;
			if (bytes < (rested + 1) * 1_000_000) continue;
			rested += 1;
			await wait(unreadMs / 4);
		}
		expect(performance.now() - startedAt).toBeGreaterThan(2 * unreadMs);
		expect(bytes).toBeGreaterThan(10 * size);
	});
});

test('that waits longer for a service or between two requests is not disconnected', async () => {
	const slow = await bench.upstream((req, res) => void setTimeout(respondOk, 3 * unreadMs, req, res));
	const gateway = await bench.gateway([slow.url], { ...patientGateway, IDLE_TIMEOUT_MS: String(unreadMs) });
	const authorization = `Authorization: Bearer ${gateway.identity.sign()}`;
	const socket = await sendUnread(gateway, `GET /api/horses HTTP/1.1\r\nHost: a\r\n${authorization}\r\n\r\n`);
	let text = '';
	socket.on('data', (chunk: Buffer) => {
		text += chunk.toString();
	});
	socket.resume();
	await eventually('the first response arrives', () => text.includes('"ok":true'));
	await wait(3 * unreadMs);
	socket.write('GET /actuator/health/liveness HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
	await eventually('the second response arrives', () => text.includes('"Status UP"'));
	expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
});
