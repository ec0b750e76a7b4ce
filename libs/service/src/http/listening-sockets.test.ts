import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { type HttpServer, listen } from './http-server.ts';

const opened: HttpServer[] = [];
const clients: Socket[] = [];

afterEach(async () => {
	for (const client of clients.splice(0)) client.destroy();
	await Promise.all(opened.splice(0).map((server) => server.close(1_000)));
});

async function listenWith(
	listeningSockets: number,
	listener: RequestListener,
	port = 0,
): Promise<HttpServer> {
	const server = await listen({
		listener,
		host: '127.0.0.1',
		port,
		listeningSockets,
		keepAliveTimeoutMs: 60_000,
		headersTimeoutMs: 60_000,
		requestTimeoutMs: 60_000,
		headerBytesMax: 16_384,
		now: () => new Date(),
	});
	opened.push(server);
	return server;
}

function connectTo(port: number, count: number): Socket[] {
	const sockets = Array.from({ length: count }, () =>
		connect(port, '127.0.0.1').on('error', () => undefined),
	);
	clients.push(...sockets);
	return sockets;
}

describe('a port with several listening sockets', () => {
	test('accepts many connections in few iterations of the event loop', async () => {
		const { server, port } = await listenWith(16, () => undefined);
		const connections = 128;
		let iterations = 0;
		const acceptedIn: number[] = [];
		server.on('connection', () => void acceptedIn.push(iterations));
		const countIterations = (): void => {
			iterations += 1;
			if (acceptedIn.length < connections) setImmediate(countIterations);
		};
		// All wait in the backlog before the first is accepted. With one socket each iteration accepts one.
		connectTo(port, connections);
		countIterations();
		await eventually('all are accepted', () => acceptedIn.length === connections);
		expect(Number(acceptedIn.at(-1)) - Number(acceptedIn[0])).toBeLessThan(connections / 2);
	});

	test('serves all connections and closes when they have ended', async () => {
		const responses: (() => void)[] = [];
		const { port, close } = await listenWith(8, (_req, res) => responses.push(() => void res.end('done')));
		const sockets = connectTo(port, 64);
		const texts = sockets.map(async (socket) => {
			socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
			let text = '';
			for await (const chunk of socket) text += String(chunk);
			return text;
		});
		await eventually('all requests have arrived', () => responses.length === 64);
		let isClosed = false;
		const closed = close(10_000).then(() => {
			isClosed = true;
		});
		const late = connect(port, '127.0.0.1');
		const [refused] = (await once(late, 'error')) as [NodeJS.ErrnoException];
		expect(refused.code).toBe('ECONNREFUSED');
		expect(isClosed).toBe(false);
		for (const response of responses) response();
		for (const text of await Promise.all(texts)) expect(text).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*done/);
		await closed;
	});

	test.each([1, 8])('is not shared with another process that opens %d sockets', async (listeningSockets) => {
		const { port } = await listenWith(8, () => undefined);
		await expect(listenWith(listeningSockets, () => undefined, port)).rejects.toMatchObject({
			code: 'EADDRINUSE',
		});
	});
});
