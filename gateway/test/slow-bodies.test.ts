import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { eventually, patientMs } from '@paddock/testing';
import { expectFailure } from './expect-failure.ts';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();
const path = '/api/horses';
const crowd = 520;

interface RawClient {
	readonly socket: Socket;
	text(): string;
	closed(): boolean;
}

async function openClient(gateway: BenchGateway, head: readonly string[], body = ''): Promise<RawClient> {
	const socket = connect({ port: gateway.port, host: '127.0.0.1' });
	bench.closing(() => void socket.destroy());
	let text = '';
	let closed = false;
	socket.on('data', (chunk: Buffer) => {
		text += chunk.toString('latin1');
	});
	socket.on('error', () => undefined);
	socket.once('close', () => {
		closed = true;
	});
	await once(socket, 'connect');
	socket.write(`${[...head, 'Host: g'].join('\r\n')}\r\n\r\n${body}`);
	return { socket, text: () => text, closed: () => closed };
}

function responseOf(text: string) {
	const [head = '', body = ''] = text.split('\r\n\r\n');
	const [statusLine = '', ...lines] = head.split('\r\n');
	const headers = Object.fromEntries(
		lines.map((line) => [line.split(': ')[0]?.toLowerCase() ?? '', line.split(': ')[1] ?? '']),
	);
	return { status: Number(statusLine.split(' ')[1]), headers, body };
}

const requestsInFlight = (gateway: BenchGateway) => gateway.counted('gateway_requests_in_flight', {});
const bufferedBytes = (gateway: BenchGateway) => gateway.counted('gateway_request_body_buffer_bytes', {});

describe('many requests whose bodies never arrive', () => {
	// They occupied every bulkhead slot of the instance for REQUEST_TIMEOUT_MS, and other requests got 503.
	test.each([
		['POST with a length', 'POST', 'Content-Length: 100000'],
		['POST in chunks', 'POST', 'Transfer-Encoding: chunked'],
		['GET with a length', 'GET', 'Content-Length: 10'],
	])('(%s, of two users) occupy no slot: all other requests succeed', async (_name, method, framing) => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url]);
		const tokens = ['1', '2'].map((digit) =>
			gateway.identity.sign({ userId: `${digit.repeat(8)}-1111-4111-8111-111111111111` }),
		);
		const clients = await Promise.all(
			Array.from({ length: crowd }, (_, index) =>
				openClient(gateway, [
					`${method} ${path} HTTP/1.1`,
					`Authorization: Bearer ${tokens[index % 2]}`,
					framing,
				]),
			),
		);
		await eventually('all are in flight', async () => (await requestsInFlight(gateway)) === crowd);
		for (let round = 0; round < 5; round += 1) {
			const responses = await Promise.all([
				...Array.from({ length: 10 }, () => gateway.send({ path })),
				...Array.from({ length: 10 }, () => gateway.send({ method: 'POST', path, body: '{"a":1}' })),
			]);
			expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
		}
		expect(upstream.requests).toHaveLength(100);
		expect(gateway.inFlight()).toBe(0);
		for (const { socket } of clients) socket.destroy();
		await eventually('none is in flight', async () => (await requestsInFlight(gateway)) === 0);
	});

	test('(anonymous GETs of a public route) occupy no slot either', async () => {
		const upstream = await bench.upstream();
		const gateway = await bench.start({ services: { 'ping-service': [upstream.url] } });
		await Promise.all(
			Array.from({ length: crowd }, () =>
				openClient(gateway, ['GET /api/ping HTTP/1.1', 'Content-Length: 100000']),
			),
		);
		await eventually('all are in flight', async () => (await requestsInFlight(gateway)) === crowd);
		const responses = await Promise.all(
			Array.from({ length: 50 }, () => gateway.send({ path: '/api/ping' })),
		);
		expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
	});
});

describe('the minimum rate of a body', () => {
	const settings = { BODY_RATE_MIN: '1000', BODY_GRACE_MS: '300' };
	const headOf = (gateway: BenchGateway, framing: string) => [
		`POST ${path} HTTP/1.1`,
		`Authorization: Bearer ${gateway.identity.sign()}`,
		framing,
	];

	test.each([
		['no byte arrives', 'Content-Length: 50000', '', ''],
		['bytes drip', 'Content-Length: 50000', '{', 'x'],
		['chunks drip', 'Transfer-Encoding: chunked', '1\r\n{\r\n', '1\r\nx\r\n'],
	])('if %s: 408, and the connection closes', async (_name, framing, begin, drip) => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url], settings);
		const client = await openClient(gateway, headOf(gateway, framing), begin);
		const dripping = setInterval(() => client.socket.write(drip), 20);
		bench.closing(() => clearInterval(dripping));
		await eventually('the client is disconnected', client.closed, 5_000);
		expectFailure(responseOf(client.text()), 408, 'REQUEST_TIMEOUT');
		expect(client.text().match(/HTTP\/1\.1 /g)).toHaveLength(1);
		expect(upstream.requests).toEqual([]);
		await eventually('its memory is released', async () => (await bufferedBytes(gateway)) === 0);
		const counted = await gateway.counted('gateway_requests_total', { route: path, status: '408' });
		expect(counted).toBe(1);
	});

	// With an average over the whole body, 51 KB sent at once allowed 51 s without data.
	test('refuses a stalled body within twice BODY_GRACE_MS, however much was sent at once', async () => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url], settings);
		const client = await openClient(gateway, headOf(gateway, 'Content-Length: 60000'), 'x'.repeat(51_000));
		await eventually('the body is buffered', async () => (await bufferedBytes(gateway)) >= 51_000);
		await eventually('the client is disconnected', client.closed, 5_000);
		expectFailure(responseOf(client.text()), 408, 'REQUEST_TIMEOUT');
		await eventually('its memory is released', async () => (await bufferedBytes(gateway)) === 0);
		expect(upstream.requests).toEqual([]);
	});

	test('accepts a slow body above the minimum', async () => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url], {
			...settings,
			...{ BODY_GRACE_MS: patientMs(300), DEADLINE_MS: patientMs(500, 1_500) },
		});
		const client = await openClient(gateway, headOf(gateway, 'Content-Length: 4000'));
		const startedAt = performance.now();
		for (let sent = 0; sent < 4_000; sent += 200) {
			client.socket.write('x'.repeat(200));
			const next = startedAt + (sent / 200 + 1) * 100;
			await eventually('the next part is due', () => performance.now() >= next);
		}
		await eventually('the response arrives', () => client.text().includes('HTTP/1.1 '));
		expect(responseOf(client.text()).status).toBe(200);
		expect(upstream.requests[0]?.body).toHaveLength(4_000);
	});
});

describe('the memory for bodies', () => {
	const settings = { BODY_BYTES_MAX: '100000', BODY_BUFFER_BYTES_MAX: '100000' };

	test('is bounded: above it 503 with Retry-After, and a forwarded body releases its share', async () => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url], settings);
		const post = () => gateway.send({ method: 'POST', path, body: 'x'.repeat(60_000) });
		const client = await openClient(
			gateway,
			[`POST ${path} HTTP/1.1`, `Authorization: Bearer ${gateway.identity.sign()}`, 'Content-Length: 60001'],
			'x'.repeat(60_000),
		);
		await eventually('the body is buffered', async () => (await bufferedBytes(gateway)) >= 60_000);
		const refused = await post();
		expect(refused.status).toBe(503);
		expect(refused.headers['retry-after']).toBe('1');
		expect(refused.json()).toMatchObject({ success: false, data: { code: 'OVERLOADED' } });
		// A body is counted as it arrives, so announcing a length reserves nothing.
		expect((await gateway.send({ method: 'POST', path, body: '{}' })).status).toBe(200);
		client.socket.write('x');
		await eventually('the response arrives', () => client.text().startsWith('HTTP/1.1 200 '));
		expect((await post()).status).toBe(200);
		expect(upstream.requests.map(({ body }) => body.length)).toEqual([2, 60_001, 60_000]);
		await eventually('all memory is released', async () => (await bufferedBytes(gateway)) === 0);
	});

	test('is shared: one client occupies at most an eighth of it', async () => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url], {
			BODY_BYTES_MAX: '100000',
			BODY_BUFFER_BYTES_MAX: '1600000',
		});
		const greedy = gateway.identity.sign({ userId: '33333333-1111-4111-8111-111111111111' });
		const open = (token: string) =>
			openClient(
				gateway,
				[`POST ${path} HTTP/1.1`, `Authorization: Bearer ${token}`, 'Content-Length: 60001'],
				'x'.repeat(60_000),
			);
		const held = await Promise.all(Array.from({ length: 40 }, () => open(greedy)));
		const refused = () => held.filter((client) => client.text().startsWith('HTTP/1.1 503 '));
		await eventually('requests above its share are refused', () => refused().length >= 37, 10_000);
		expect(responseOf(refused()[0]?.text() ?? '').body).toContain('OVERLOADED');
		await eventually('a body is buffered', async () => (await bufferedBytes(gateway)) >= 60_000);
		expect(await bufferedBytes(gateway)).toBeLessThanOrEqual(200_000);
		const others = await Promise.all(
			Array.from({ length: 2 }, () => gateway.send({ method: 'POST', path, body: 'x'.repeat(60_000) })),
		);
		expect(others.map(({ status }) => status)).toEqual([200, 200]);
		for (const { socket } of held) socket.destroy();
		await eventually('all memory is released', async () => (await bufferedBytes(gateway)) === 0);
		const again = await gateway.send({ method: 'POST', path, body: 'x'.repeat(60_000), token: greedy });
		expect(again.status).toBe(200);
	});

	test('is released when a client disconnects during the body', async () => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url], settings);
		const client = await openClient(
			gateway,
			[`POST ${path} HTTP/1.1`, `Authorization: Bearer ${gateway.identity.sign()}`, 'Content-Length: 60001'],
			'x'.repeat(60_000),
		);
		await eventually('the body is buffered', async () => (await bufferedBytes(gateway)) >= 60_000);
		client.socket.destroy();
		await eventually('all memory is released', async () => (await bufferedBytes(gateway)) === 0);
		expect(upstream.requests).toEqual([]);
	});

	test('is released when the response begins', async () => {
		const upstream = await bench.upstream((_req, res) => {
			res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
		});
		const gateway = await bench.gateway([upstream.url], settings);
		const client = await openClient(
			gateway,
			[`POST ${path} HTTP/1.1`, `Authorization: Bearer ${gateway.identity.sign()}`, 'Content-Length: 60000'],
			'x'.repeat(60_000),
		);
		await eventually('the response has begun', () => client.text().includes('data: 1'));
		expect(await bufferedBytes(gateway)).toBe(0);
		client.socket.resetAndDestroy();
	});
});
