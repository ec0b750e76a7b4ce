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

async function listenWith(acceptors: number, listener: RequestListener, port = 0): Promise<HttpServer> {
	const server = await listen({
		listener,
		host: '127.0.0.1',
		port,
		acceptors,
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
	test('takes a crowd in few turns of the event loop', async () => {
		const { server, port } = await listenWith(16, () => undefined);
		const crowd = 128;
		let turns = 0;
		const takenInTurn: number[] = [];
		server.on('connection', () => void takenInTurn.push(turns));
		const countOn = (): void => {
			turns += 1;
			if (takenInTurn.length < crowd) setImmediate(countOn);
		};
		// All of them are there before the first is taken. With one socket each turn takes one.
		connectTo(port, crowd);
		countOn();
		await eventually('all are taken', () => takenInTurn.length === crowd);
		expect(Number(takenInTurn.at(-1)) - Number(takenInTurn[0])).toBeLessThan(crowd / 2);
	});

	test('serves all of them, and closes when all have ended', async () => {
		const responses: (() => void)[] = [];
		const { port, close } = await listenWith(8, (_req, res) => responses.push(() => void res.end('done')));
		const sockets = connectTo(port, 64);
		const texts = sockets.map(async (socket) => {
			socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
			let text = '';
			for await (const chunk of socket) text += String(chunk);
			return text;
		});
		await eventually('all have asked', () => responses.length === 64);
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

	test.each([1, 8])('is not shared with another process, however many that has: %d', async (acceptors) => {
		const { port } = await listenWith(8, () => undefined);
		await expect(listenWith(acceptors, () => undefined, port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
	});
});
