import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { rawRequest } from '@paddock/testing';
import { testBench } from './test-bench.ts';

const bench = testBench();

/** Responds with the request as parsed by the upstream. */
function echo(req: IncomingMessage, res: ServerResponse, body: string): void {
	const response = JSON.stringify({ method: req.method, url: req.url, headers: req.headers, body });
	res.writeHead(200, { 'Content-Type': 'application/json' }).end(response);
}

describe('a request', () => {
	test.each([
		'/api/horses',
		'/api/horses/',
		'/api/horses/7?x=1',
		'/api/horses?',
		'/api/horses?a=1&a=2&b[]=3&c=%20+%2F%2f&d=;&e=//..//&f=%zz&g=?',
		'/api/horses/%C3%84pfel-%2B(1)~*:@=,!$',
		'/api/horses?q=\'<>"{}|^`',
	])('arrives under exactly the path and query %s', async (path) => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url]);
		const raw = `GET ${path} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${gateway.identity.sign()}\r\nConnection: close\r\n\r\n`;
		expect((await rawRequest(gateway.port, raw)).status).toBe(200);
		expect(upstream.requests.map(({ url }) => url)).toEqual([path]);
	});

	test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'GET', 'OPTIONS'])(
		'%s arrives with its body and its length, sent with a length or in chunks',
		async (method) => {
			const upstream = await bench.upstream(echo);
			const gateway = await bench.gateway([upstream.url]);
			const path = '/api/horses';
			const byLength = await gateway.send({ method, path, body: 'Ä horse' });
			const inChunks = await gateway.send({ method, path, body: ['Ä ', 'hor', 'se'] });
			expect([byLength.status, inChunks.status]).toEqual([200, 200]);
			const [first, second] = upstream.requests;
			expect(first).toMatchObject({ method, body: 'Ä horse', headers: { 'content-length': '8' } });
			expect(first?.headers['transfer-encoding']).toBeUndefined();
			expect(second).toMatchObject({ method, body: 'Ä horse', headers: { 'content-length': '8' } });
			expect(second?.headers['transfer-encoding']).toBeUndefined();
		},
	);

	test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'GET', 'HEAD', 'OPTIONS'])(
		'%s without a body arrives without one',
		async (method) => {
			const upstream = await bench.upstream();
			const gateway = await bench.gateway([upstream.url]);
			expect((await gateway.send({ method, path: '/api/horses' })).status).toBe(200);
			expect(upstream.requests).toMatchObject([{ method, body: '' }]);
			expect(upstream.requests[0]?.headers['transfer-encoding']).toBeUndefined();
		},
	);

	test('arrives with its headers, each value unchanged', async () => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url]);
		const headers = {
			'Accept-Language': 'de-AT, en;q=0.5',
			'If-None-Match': 'W/"1", "2"',
			'Content-Type': 'application/json; charset=utf-8',
			Cookie: 'a=1; b=2',
			'X-Custom': 'caf\xe9  with  spaces',
		};
		await gateway.send({ method: 'POST', path: '/api/horses', headers, body: '{}' });
		const lowerCase = Object.fromEntries(
			Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text]),
		);
		expect(upstream.requests[0]?.headers).toMatchObject(lowerCase);
	});
});
