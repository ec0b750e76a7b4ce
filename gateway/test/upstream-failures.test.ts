import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { eventually, freePort, neverRespond, patient, startStopwatch } from '@paddock/testing';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();
// One failure opens the breaker, so its state shows whether the response counted as a failure.
const settings = {
	RESPONSE_TIMEOUT_MS: '5000',
	BREAKER_VOLUME: '1',
	BREAKER_OPEN_MS: '60000',
};
/** For slow instances; others get enough time for a busy machine. */
const impatient = { ...settings, RESPONSE_TIMEOUT_MS: '200' };

type Respond = (socket: Socket) => void;
const sends =
	(text: string): Respond =>
	(socket) =>
		void socket.write(text, 'latin1');

interface Expected {
	status: number;
	code: string;
	label: string;
	countsAsFailure: boolean;
}

const invalid: Expected = {
	status: 502,
	code: 'UPSTREAM_ERROR',
	label: 'invalidResponse',
	countsAsFailure: true,
};
const reset: Expected = { status: 502, code: 'UPSTREAM_ERROR', label: 'reset', countsAsFailure: true };

function breakerStates(gateway: BenchGateway): string[] {
	const { table } = gateway.opened.deps;
	return table.upstreams('horses-service').map(({ breaker }) => breaker.view().state);
}

async function expectFailure(gateway: BenchGateway, expected: Expected, method = 'GET'): Promise<void> {
	const response = await gateway.send({
		method,
		path: '/api/horses',
		...(method === 'POST' ? { body: '{}' } : {}),
	});
	expect(response).toMatchObject({ status: expected.status, complete: true });
	expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
	expect(response.headers['retry-after']).toBe(expected.code === 'UPSTREAM_TIMEOUT' ? undefined : '2');
	const envelope = response.json();
	expect(Object.keys(envelope).sort()).toEqual(['data', 'message', 'success', 'timestamp']);
	expect(envelope).toMatchObject({
		success: false,
		data: { code: expected.code, status: expected.status, context: 'horses' },
	});
	const { requestId } = envelope.data;
	expect(requestId).toBe(response.headers['x-request-id']);
	expect(response.body).not.toContain('127.0.0.1');
	const count = (failure: string) => gateway.counted('gateway_upstream_failures_total', { failure });
	expect(await count(expected.label)).toBe(1);
	expect(breakerStates(gateway)).toEqual([expected.countsAsFailure ? 'OPEN' : 'CLOSED']);
	// The gateway must keep running.
	expect((await gateway.send({ path: '/actuator/health/liveness' })).status).toBe(200);
}

describe('an unreachable instance', () => {
	test('that refuses connections: 502', async () => {
		const gateway = await bench.gateway([`http://127.0.0.1:${await freePort()}`], settings);
		await expectFailure(gateway, {
			status: 502,
			code: 'UPSTREAM_ERROR',
			label: 'unreachable',
			countsAsFailure: true,
		});
	});

	test('whose name does not resolve: 502', async () => {
		const gateway = await bench.gateway(['http://no-such-host.invalid:8080'], settings);
		await expectFailure(gateway, {
			status: 502,
			code: 'UPSTREAM_ERROR',
			label: 'unreachable',
			countsAsFailure: true,
		});
	});

	test.each(['GET', 'POST'])(
		'that does not accept connections (%s): 502 after the connect timeout',
		async (method) => {
			const url = await fullBacklog();
			const gateway = await bench.gateway([url], { ...settings, CONNECT_TIMEOUT_MS: '150' });
			const elapsedMs = startStopwatch();
			await expectFailure(
				gateway,
				{ status: 502, code: 'UPSTREAM_ERROR', label: 'connectTimeout', countsAsFailure: true },
				method,
			);
			expect(elapsedMs()).toBeLessThan(patient(2_000));
		},
	);
});

/** A listener with a full accept queue, so that further SYNs are dropped. */
async function fullBacklog(): Promise<string> {
	// Needs a blocked event loop, hence another process.
	const script =
		"const s=require('net').createServer();s.listen({port:0,host:'127.0.0.1',backlog:1},()=>{" +
		"process.stdout.write(String(s.address().port)+'\\n',()=>Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0))})";
	const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
	bench.closing(() => void child.kill('SIGKILL'));
	const [line] = await once(child.stdout, 'data');
	const port = Number(String(line).trim());
	for (let full = false; !full; ) {
		const socket = connect({ port, host: '127.0.0.1' });
		bench.closing(() => void socket.destroy());
		socket.on('error', () => undefined);
		const connected = once(socket, 'connect').then(() => true);
		full = !(await Promise.race([connected, new Promise<boolean>((r) => setTimeout(r, 150, false))]));
	}
	return `http://127.0.0.1:${port}`;
}

describe('an instance that does not respond', () => {
	const timeout: Expected = {
		status: 504,
		code: 'UPSTREAM_TIMEOUT',
		label: 'responseTimeout',
		countsAsFailure: true,
	};

	test.each(['GET', 'POST'])('hangs (%s): 504 at the response timeout', async (method) => {
		const upstream = await bench.upstream(neverRespond);
		const gateway = await bench.gateway([upstream.url], impatient);
		const startedAt = performance.now();
		const elapsedMs = startStopwatch();
		await expectFailure(gateway, timeout, method);
		expect(performance.now() - startedAt).toBeGreaterThanOrEqual(195);
		expect(elapsedMs()).toBeLessThan(patient(1_500));
	});

	test('sends half a head: 504', async () => {
		const upstream = await bench.raw(sends('HTTP/1.1 200 OK\r\nContent-Type: appl'));
		await expectFailure(await bench.gateway([upstream.url], impatient), timeout);
	});

	test('sends 100 Continue repeatedly: 504', async () => {
		const upstream = await bench.raw((socket) => {
			const timer = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 20);
			socket.on('close', () => clearInterval(timer));
		});
		await expectFailure(await bench.gateway([upstream.url], impatient), timeout);
	});

	test('has its connection closed at the timeout', async () => {
		let closed = false;
		const upstream = await bench.raw((socket) => {
			socket.on('close', () => {
				closed = true;
			});
		});
		await expectFailure(await bench.gateway([upstream.url], impatient), timeout);
		await eventually('the instance has noticed', () => closed, 1_000);
	});
});

const broken: Record<string, [Respond, Expected]> = {
	'resets before its head': [(socket) => void socket.resetAndDestroy(), reset],
	'ends before its head': [(socket) => void socket.end(), reset],
	'ends in the middle of its head': [(socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Ty'), reset],
	'does not speak HTTP': [sends('SSH-2.0-OpenSSH_9.2p1\r\n\r\n'), invalid],
	'speaks HTTP/0.9': [sends('<html>hello</html>\r\n\r\n'), invalid],
	'sends nothing but line ends and NUL': [sends('\0\0\0\r\n\r\n\r\n'), invalid],
	'returns status 000': [sends('HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n'), invalid],
	'returns status 99': [sends('HTTP/1.1 99 Less\r\nContent-Length: 0\r\n\r\n'), invalid],
	'returns status 600': [sends('HTTP/1.1 600 More\r\nContent-Length: 0\r\n\r\n'), invalid],
	'returns status 999': [sends('HTTP/1.1 999 Most\r\nContent-Length: 0\r\n\r\n'), invalid],
	'sends an unrequested 101': [
		sends('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
		invalid,
	],
	'sends two lengths': [
		sends('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'),
		invalid,
	],
	'sends a length and chunks': [
		sends('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
		invalid,
	],
	'sends an invalid length': [sends('HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n{}'), invalid],
	'has a control byte in a header': [
		sends('HTTP/1.1 200 OK\r\nX-A: a\x01b\r\nContent-Length: 2\r\n\r\n{}'),
		invalid,
	],
	'has a space in a header name': [
		sends('HTTP/1.1 200 OK\r\nX A: b\r\nContent-Length: 2\r\n\r\n{}'),
		invalid,
	],
	'has a head of 100 KB': [sends(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`), invalid],
};

describe('an instance that', () => {
	test.each(Object.entries(broken))('%s', async (_name, [respond, expected]) => {
		const upstream = await bench.raw(respond);
		await expectFailure(await bench.gateway([upstream.url], settings), expected);
	});
});

describe('no available instance', () => {
	test('no instance is known: 503 at once', async () => {
		const gateway = await bench.gateway([], settings);
		const response = await gateway.send({ path: '/api/horses' });
		expect(response.status).toBe(503);
		expect(response.headers['retry-after']).toBe('2');
		expect(response.json()).toMatchObject({ data: { code: 'SERVICE_UNAVAILABLE', context: 'horses' } });
	});

	test('an instance removed from the registry finishes its requests in flight', async () => {
		let finish: (() => void) | undefined;
		const upstream = await bench.upstream((_req, res) => {
			finish = () => void res.end('{}');
		});
		const gateway = await bench.gateway([upstream.url], settings);
		const responded = gateway.send({ path: '/api/horses' });
		await eventually('the request is in flight', () => finish !== undefined);
		gateway.registry.set('horses-service', []);
		expect((await gateway.send({ path: '/api/horses' })).status).toBe(503);
		finish?.();
		expect(await responded).toMatchObject({ status: 200, body: '{}', complete: true });
	});
});
