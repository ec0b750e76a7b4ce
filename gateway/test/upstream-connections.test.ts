import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { testBench } from './test-bench.ts';

const bench = testBench();

describe('connections to an instance', () => {
	test.each([
		['without a body', { method: 'GET' }],
		['with a body', { method: 'POST', body: '{}' }],
	])('are kept: requests %s, one after another, share one', async (_name, sent) => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url]);
		for (let round = 0; round < 20; round += 1)
			expect((await gateway.send({ path: '/api/horses', ...sent })).status).toBe(200);
		expect(upstream.connections()).toBe(1);
	});

	test('are never more than the setting allows, and everybody gets an answer', async () => {
		const upstream = await bench.upstream((_req, res) => {
			setTimeout(() => res.end('{}'), 5);
		});
		const gateway = await bench.gateway([upstream.url], { UPSTREAM_SOCKETS_MAX: '4' });
		const answers = await Promise.all(Array.from({ length: 8 }, () => gateway.send({ path: '/api/horses' })));
		expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
		expect(upstream.connections()).toBe(4);
	});

	test('that wait for a slow answer are not closed by the idle time of kept ones', async () => {
		const upstream = await bench.upstream((req, res) => {
			setTimeout(() => res.end('{}'), req.url === '/api/horses/slow' ? 400 : 0);
		});
		const gateway = await bench.gateway([upstream.url], { UPSTREAM_IDLE_MS: '100' });
		for (const path of ['/api/horses', '/api/horses/slow', '/api/horses/slow'])
			expect((await gateway.send({ path })).status).toBe(200);
	});

	test('go to IPv6 addresses, too', async () => {
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
