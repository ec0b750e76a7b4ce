import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import type { BodyEnd } from '../src/forwarder/forwarder.ts';
import { openHttpProxyForwarder } from '../src/forwarder/http-proxy-forwarder.ts';
import { openForwarder } from '../src/forwarder/undici-forwarder.ts';
import { testBench } from './test-bench.ts';

const bench = testBench();
const path = '/api/horses';

/** A server that responds and tracks its open connections. */
async function countingServer() {
	const open = new Set<Socket>();
	const server = createServer((req, res) => {
		res.end(req.url === '/health' ? '{}' : JSON.stringify({ method: req.method }));
	});
	server.on('connection', (socket: Socket) => {
		open.add(socket);
		socket.once('close', () => open.delete(socket));
	});
	return { url: await bench.serve(server), open };
}

describe('an instance that sends an unrequested 100 Continue', () => {
	async function eagerUpstream() {
		const seen: string[] = [];
		const upstream = await bench.raw((socket, head) => {
			seen.push(head.slice(0, head.indexOf(' ')));
			socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntrue');
		});
		return { upstream, seen };
	}

	test('gets a GET; only the first one needs a second attempt', async () => {
		const { upstream, seen } = await eagerUpstream();
		const gateway = await bench.gateway([upstream.url]);
		for (let round = 0; round < 3; round += 1)
			expect(await gateway.send({ path })).toMatchObject({ status: 200, body: 'true' });
		expect(seen).toEqual(['GET', 'GET', 'GET', 'GET']);
		expect(await gateway.counted('gateway_upstream_failures_total', {})).toBe(0);
	});

	test('gets a POST with its body, after the first response was lost', async () => {
		const { upstream, seen } = await eagerUpstream();
		const gateway = await bench.gateway([upstream.url]);
		const post = () => gateway.send({ method: 'POST', path, body: '{"a":1}' });
		expect((await post()).status).toBe(502);
		expect(await post()).toMatchObject({ status: 200, body: 'true' });
		expect(seen).toEqual(['POST', 'POST']);
	});

	test('gets a DELETE once', async () => {
		const { upstream, seen } = await eagerUpstream();
		const gateway = await bench.gateway([upstream.url]);
		expect((await gateway.send({ method: 'DELETE', path })).status).toBe(502);
		expect(await gateway.send({ method: 'DELETE', path })).toMatchObject({ status: 200, body: 'true' });
		expect(seen).toEqual(['DELETE', 'DELETE']);
	});
});

describe('an instance removed from the registry', () => {
	test('keeps no connection, idle or in use', async () => {
		const { url, open } = await countingServer();
		let finish: (() => void) | undefined;
		const slow = await bench.serve(
			createServer((req, res) => {
				if (req.url === '/health') return void res.end('{}');
				finish = () => void res.end('{}');
			}).on('connection', (socket: Socket) => {
				open.add(socket);
				socket.once('close', () => open.delete(socket));
			}),
		);
		const gateway = await bench.gateway([url], { RESPONSE_TIMEOUT_MS: '5000' });
		await gateway.send({ path });
		expect(open.size).toBe(1);
		gateway.registry.set('horses-service', [slow]);
		await eventually('idle connections are closed', () => open.size === 0, 1_000);
		const response = gateway.send({ path });
		await eventually('the request is in flight', () => finish !== undefined);
		gateway.registry.set('horses-service', []);
		finish?.();
		expect(await response).toMatchObject({ status: 200, body: '{}', complete: true });
		await eventually('the used connection is closed', () => open.size === 0, 1_000);
	});
});

describe('a client that disconnects', () => {
	test('before the response releases its slot, and its pipelined requests are not forwarded', async () => {
		let forwarded = 0;
		const url = await bench.serve(
			createServer((req, res) => {
				forwarded += 1;
				if (req.url !== `${path}/slow`) res.end('{}');
			}),
		);
		const gateway = await bench.gateway([url], { RESPONSE_TIMEOUT_MS: '5000' });
		const socket = connect({ port: gateway.port, host: '127.0.0.1' });
		await once(socket, 'connect');
		const head = `HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${gateway.identity.sign()}\r\n\r\n`;
		socket.write(`GET ${path}/slow ${head}GET ${path}/fast ${head}`);
		await eventually('the first is in progress', () => gateway.inFlight() === 1 && forwarded === 1);
		socket.resetAndDestroy();
		const disconnects = () => gateway.counted('gateway_requests_total', { status: '499' });
		await eventually('it is counted as 499', async () => (await disconnects()) === 1, 1_000);
		expect([gateway.inFlight(), forwarded]).toEqual([0, 1]);
	});
});

// undici's waited for 'drain', which a closed stream never emits.
describe.each([
	['undici', openForwarder],
	['http-proxy-middleware', openHttpProxyForwarder],
])('a body that arrives through %s', (_name, open) => {
	test.each(['before', 'after'])('ends if its receiver is closed %s it is sent there', async (moment) => {
		const url = await bench.serve(createServer((_req, res) => void res.end(Buffer.alloc(10_000_000))));
		const forwarder = open(url, { connectTimeoutMs: 5_000, socketsMax: 1, idleMs: 5_000 });
		bench.closing(() => forwarder.close());
		const { body } = await forwarder.forward({
			...{ method: 'GET', url: '/', headers: { host: 'a' }, body: undefined },
			...{ responseTimeoutMs: 5_000, idleTimeoutMs: 60_000, signal: new AbortController().signal },
		});
		let end: BodyEnd | undefined;
		body.onClosed((how) => {
			end = how;
		});
		const receiver = new Writable({ write: () => undefined });
		if (moment === 'before') await once(receiver.destroy(), 'close');
		const sent = body.sendTo(receiver, () => undefined);
		const failure = expect(sent).rejects.toThrow('The receiver of the body was closed.');
		if (moment === 'after') {
			await eventually('the receiver is full', () => receiver.writableNeedDrain);
			receiver.destroy();
		}
		await eventually('the body has ended', () => end !== undefined, 2_000);
		expect(end).toBe('discarded');
		await failure;
	});
});
