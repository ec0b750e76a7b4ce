import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { testBench } from './test-bench.ts';

const bench = testBench();

describe('connections to an instance', () => {
	test.each([
		['without a body', { method: 'GET' }],
		['with a body', { method: 'POST', body: '{}' }],
	])('are reused: sequential requests %s share one', async (_name, sent) => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url]);
		for (let round = 0; round < 20; round += 1)
			expect((await gateway.send({ path: '/api/horses', ...sent })).status).toBe(200);
		expect(upstream.connections()).toBe(1);
	});

	test.each(['GET', 'POST'])('are closed after UPSTREAM_IDLE_MS (%s)', async (method) => {
		const open = new Set<Socket>();
		// The instance closes no connection itself.
		const server = createServer({ keepAliveTimeout: 0 }, (_req, res) => res.end('{}'));
		server.on('connection', (socket) => {
			open.add(socket);
			socket.once('close', () => open.delete(socket));
		});
		const gateway = await bench.gateway([await bench.serve(server)], { UPSTREAM_IDLE_MS: '150' });
		const send = () =>
			gateway.send({ method, path: '/api/horses', ...(method === 'POST' && { body: '{}' }) });
		const together = await Promise.all([send(), send(), send()]);
		expect(together.map(({ status }) => status)).toEqual([200, 200, 200]);
		expect(open.size).toBeGreaterThan(0);
		await eventually('all are closed', () => open.size === 0);
		expect((await send()).status).toBe(200);
	});

	test.each(['GET', 'POST'])(
		'never deliver bytes that an instance sends while they are idle (%s)',
		async (method) => {
			let sendUnasked: (() => Promise<void>) | undefined;
			const upstream = await bench.raw((socket) => {
				socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntrue');
				sendUnasked = () =>
					new Promise((resolve) => {
						socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnull', () => resolve());
					});
			});
			const other = await bench.upstream();
			const gateway = await bench.start({
				services: { 'horses-service': [upstream.url], 'members-service': [other.url] },
			});
			const send = () =>
				gateway.send({ method, path: '/api/horses', ...(method === 'POST' && { body: '{}' }) });
			expect((await send()).body).toBe('true');
			await eventually('the connection is idle', () => gateway.inFlight() === 0);
			await sendUnasked?.();
			// The gateway has read the bytes when another request completes.
			expect((await gateway.send({ path: '/api/members' })).status).toBe(200);
			expect((await send()).body).toBe('true');
		},
	);

	test('never exceed UPSTREAM_SOCKETS_MAX, and all requests get a response', async () => {
		const waiting: ServerResponse[] = [];
		// Only when there are as many as connections are allowed, so that it is seen that there are no more.
		const upstream = await bench.upstream((_req, res) => {
			if (waiting.push(res) === 4) for (const each of waiting.splice(0)) each.end('{}');
		});
		const gateway = await bench.gateway([upstream.url], { UPSTREAM_SOCKETS_MAX: '4' });
		const responses = await Promise.all(
			Array.from({ length: 8 }, () => gateway.send({ path: '/api/horses' })),
		);
		expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
		expect(upstream.connections()).toBe(4);
	});

	test('that wait for a slow response are not closed by the idle timeout', async () => {
		const upstream = await bench.upstream((req, res) => {
			setTimeout(() => res.end('{}'), req.url === '/api/horses/slow' ? 400 : 0);
		});
		const gateway = await bench.gateway([upstream.url], { UPSTREAM_IDLE_MS: '100' });
		for (const path of ['/api/horses', '/api/horses/slow', '/api/horses/slow'])
			expect((await gateway.send({ path })).status).toBe(200);
	});

	test('to IPv6 addresses work', async () => {
		const server = createServer((_req, res) => res.end('{}'));
		await new Promise<void>((resolve) => server.listen(0, '::1', resolve));
		bench.closing(() => {
			server.closeAllConnections();
			server.close();
		});
		const gateway = await bench.gateway([`http://[::1]:${(server.address() as AddressInfo).port}`]);
		expect((await gateway.send({ path: '/api/horses' })).status).toBe(200);
	});
});
