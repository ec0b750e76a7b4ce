import { createServer } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { testBench } from './test-bench.ts';

const bench = testBench();

/** A gateway in front of a service that lists methods as services do. */
async function start(settings: Record<string, string> = {}) {
	const seen: string[] = [];
	const url = await bench.serve(
		createServer((req, res) => {
			if (req.url !== '/health') seen.push(`${req.method} ${req.url}`);
			if (req.method === 'OPTIONS') res.writeHead(204, { Allow: 'GET, HEAD, POST, OPTIONS' }).end();
			else res.writeHead(404, { 'Content-Type': 'application/json' }).end('{}');
		}),
	);
	const gateway = await bench.gateway([url], settings);
	const send = (method: string, path: string, headers: Record<string, string> = {}) =>
		fetch(gateway.url + path, { method, headers });
	return { seen, gateway, send };
}

describe('OPTIONS without a token', () => {
	test.each(['/api/horses', '/api/horses/7'])('of %s lists the methods', async (path) => {
		const { seen, send } = await start();
		const response = await send('OPTIONS', path);
		expect([response.status, response.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
		expect(seen).toEqual([`OPTIONS ${path}`]);
	});

	test('with an invalid token, too', async () => {
		const { send } = await start();
		expect((await send('OPTIONS', '/api/horses', { Authorization: 'Bearer x' })).status).toBe(204);
	});

	test('is 401 where CORS is on and the origin is not listed', async () => {
		const { seen, send } = await start({ CORS_ORIGINS: 'https://app.example.org' });
		const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' };
		const response = await send('OPTIONS', '/api/horses', headers);
		const cors = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'));
		expect([response.status, cors, seen]).toEqual([401, [], []]);
	});

	test('opens nothing for other methods', async () => {
		const { seen, send } = await start();
		for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'])
			expect((await send(method, '/api/horses', { 'X-HTTP-Method-Override': 'OPTIONS' })).status).toBe(401);
		expect(seen).toEqual([]);
	});
});

describe('a slash behind a declared path', () => {
	test.each(['/api/horses/', '/api/horses/7/', '/auth/login/', '/auth/profile/'])(
		'%s is 404',
		async (path) => {
			const { seen, send } = await start();
			for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
				expect([method, (await send(method, path)).status]).toEqual([method, 404]);
				expect((await send(method, path, { Authorization: 'Bearer x' })).status).toBe(404);
			}
			expect(seen).toEqual([]);
		},
	);

	test('is no way around the token of other addresses', async () => {
		const { send } = await start();
		for (const path of [
			'/api/horses',
			'/api/horses/7/nothing',
			'/api/horses/7/nothing/',
			'/auth/',
			'/api/horses/7',
		])
			expect([path, (await send('GET', path)).status]).toEqual([path, 401]);
	});
});
