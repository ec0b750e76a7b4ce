import { describe, expect, test } from '@jest/globals';
import { rawRequest } from '@paddock/testing';
import { testBench } from './test-bench.ts';

const bench = testBench();

async function start() {
	const upstream = await bench.upstream();
	const gateway = await bench.start({
		services: { 'horses-service': [upstream.url], 'ping-service': [upstream.url] },
	});
	const get = (target: string, host = 'a', method = 'GET') =>
		rawRequest(
			gateway.port,
			`${method} ${target.replace('PORT', String(gateway.port))} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
		);
	return { upstream, gateway, get };
}

// RFC 9112 §3.2.2: a server must accept it.
describe('the absolute form of a request', () => {
	test.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])(
		'with our own authority is accepted: %s',
		async (host) => {
			const { upstream, gateway, get } = await start();
			const response = await get(`http://${host}:PORT/api/ping?a=b%20c&d=http://x`);
			expect(response.status).toBe(200);
			expect(upstream.requests.map(({ url }) => url)).toEqual(['/api/ping?a=b%20c&d=http://x']);
			// Host is ignored.
			expect(upstream.requests[0]?.headers['x-forwarded-host']).toBe(`${host}:${gateway.port}`);
		},
	);

	test.each([
		['/', 'http://127.0.0.1:PORT', 'GET', 200],
		['/ with a query', 'http://127.0.0.1:PORT?a=b', 'GET', 200],
		['a page', 'HTTP://127.0.0.1:PORT/actuator/health/liveness', 'GET', 200],
		['*', 'http://127.0.0.1:PORT', 'OPTIONS', 204],
		['a protected path', 'http://127.0.0.1:PORT/api/horses', 'GET', 401],
	])('leads to %s', async (_name, target, method, status) => {
		const { get } = await start();
		expect((await get(target, 'a', method)).status).toBe(status);
	});

	test('ignores a Host that would be refused', async () => {
		const { get } = await start();
		expect((await get('http://127.0.0.1:PORT/api/ping', 'a/b')).status).toBe(200);
	});

	test.each([
		['another host', 'http://evil.example/api/ping'],
		['another host, with our port', 'http://evil.example:PORT/api/ping'],
		['another port', 'http://127.0.0.1:1/api/ping'],
		['a user', 'http://127.0.0.1:PORT@evil.example/api/ping'],
		['our authority as the user', 'http://a@127.0.0.1:PORT/api/ping'],
		['another scheme', 'ftp://127.0.0.1:PORT/api/ping'],
		['a backslash', 'http://127.0.0.1:PORT\\@evil.example/api/ping'],
		['dot segments', 'http://127.0.0.1:PORT/x/../api/ping'],
		['an empty segment', 'http://127.0.0.1:PORT//api/ping'],
	])('is refused with %s', async (_name, target) => {
		const { upstream, gateway, get } = await start();
		for (const host of ['a', 'evil.example', `127.0.0.1:${gateway.port}`])
			expect((await get(target, host)).status).toBe(400);
		expect(upstream.requests).toEqual([]);
	});
});
