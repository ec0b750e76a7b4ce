import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { rawRequest } from '@paddock/testing';
import { testBench } from './test-bench.ts';

const bench = testBench();

/** Answers with what arrived, as the upstream's parser saw it. */
function echo(req: IncomingMessage, res: ServerResponse, body: string): void {
	const answer = JSON.stringify({ method: req.method, url: req.url, headers: req.headers, body });
	res.writeHead(200, { 'Content-Type': 'application/json' }).end(answer);
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
		'%s arrives with its body, whether by length or in chunks',
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
			expect(second).toMatchObject({ method, body: 'Ä horse', headers: { 'transfer-encoding': 'chunked' } });
			expect(second?.headers['content-length']).toBeUndefined();
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

	test('arrives with its own headers, each value as it was sent', async () => {
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

describe('an answer', () => {
	test('comes back with its headers, every cookie on a line of its own', async () => {
		const upstream = await bench.upstream((_req, res) => {
			res.writeHead(201, [
				...[
					'Set-Cookie',
					'a=1; Path=/; HttpOnly',
					'Set-Cookie',
					'b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT',
				],
				...['Location', '/api/horses/7', 'ETag', '"v1"', 'Link', '<a>; rel=next', 'Link', '<b>; rel=last'],
				...['Content-Type', 'application/json', 'Cache-Control', 'no-cache', 'X-Custom', 'caf\xe9'],
			]);
			// As text it would take the head along into UTF-8.
			res.end(Buffer.from('{"ok":true}'));
		});
		const gateway = await bench.gateway([upstream.url]);
		const answer = await gateway.send({ method: 'POST', path: '/api/horses', body: '{}' });
		expect(answer).toMatchObject({
			status: 201,
			body: '{"ok":true}',
			headers: {
				'set-cookie': ['a=1; Path=/; HttpOnly', 'b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT'],
				location: '/api/horses/7',
				etag: '"v1"',
				link: '<a>; rel=next, <b>; rel=last',
				'content-type': 'application/json',
				'cache-control': 'no-cache',
				'x-custom': 'caf\xe9',
			},
		});
	});

	test('loses what speaks of the connection or of the software behind', async () => {
		const upstream = await bench.raw((socket) => {
			socket.end(
				[
					'HTTP/1.1 200 OK',
					'Connection: close, X-Private',
					'X-Private: 10.0.0.1',
					'Keep-Alive: timeout=5',
					'Proxy-Connection: keep-alive',
					'Proxy-Authenticate: Basic',
					'Upgrade: h2c',
					'TE: trailers',
					'X-Powered-By: Express',
					'Server: horses/1.0',
					'X-Request-Id: theirs',
					'Content-Type: application/json',
					'Content-Length: 2',
					'',
					'{}',
				].join('\r\n'),
			);
		});
		const gateway = await bench.gateway([upstream.url]);
		const agent = new Agent({ keepAlive: true });
		bench.closing(() => agent.destroy());
		const { status, headers } = await gateway.send({ path: '/api/horses', agent });
		expect(status).toBe(200);
		expect(headers.connection).toBe('keep-alive');
		expect(headers['keep-alive']).not.toBe('timeout=5');
		expect(headers['x-request-id']).not.toBe('theirs');
		for (const name of [
			'x-private',
			'proxy-connection',
			'proxy-authenticate',
			'upgrade',
			'te',
			'x-powered-by',
			'server',
		]) {
			expect([name, headers[name]]).toEqual([name, undefined]);
		}
	});

	test('to HEAD has the length but no body', async () => {
		const upstream = await bench.upstream((_req, res) => {
			res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1234' }).end();
		});
		const gateway = await bench.gateway([upstream.url]);
		const answer = await gateway.send({ method: 'HEAD', path: '/api/horses' });
		expect(answer).toMatchObject({
			status: 200,
			body: '',
			complete: true,
			headers: { 'content-length': '1234' },
		});
	});

	test('204 has neither body nor length', async () => {
		const upstream = await bench.raw((socket) => {
			socket.write('HTTP/1.1 204 No Content\r\nContent-Length: 0\r\nETag: "v2"\r\n\r\n');
		});
		const gateway = await bench.gateway([upstream.url]);
		const answer = await gateway.send({ method: 'DELETE', path: '/api/horses/7' });
		expect(answer).toMatchObject({ status: 204, body: '', complete: true, headers: { etag: '"v2"' } });
		expect(answer.headers['content-length']).toBeUndefined();
		expect(answer.headers['transfer-encoding']).toBeUndefined();
	});

	test('304 keeps its ETag and has no body', async () => {
		const upstream = await bench.upstream((req, res) => {
			res.writeHead(req.headers['if-none-match'] === '"v1"' ? 304 : 200, { ETag: '"v1"' }).end();
		});
		const gateway = await bench.gateway([upstream.url]);
		const answer = await gateway.send({ path: '/api/horses', headers: { 'If-None-Match': '"v1"' } });
		expect(answer).toMatchObject({ status: 304, body: '', complete: true, headers: { etag: '"v1"' } });
	});

	test('after 100, 102 and 103 is the one that counts', async () => {
		const upstream = await bench.raw((socket) => {
			socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n');
			socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n');
			socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntrue');
		});
		const gateway = await bench.gateway([upstream.url]);
		expect(await gateway.send({ path: '/api/horses' })).toMatchObject({ status: 200, body: 'true' });
	});

	test('adds its Vary to the gateway’s own', async () => {
		const upstream = await bench.upstream((_req, res) => {
			res.writeHead(200, { Vary: 'Accept-Language' }).end('{}');
		});
		const gateway = await bench.gateway([upstream.url], { CORS_ORIGINS: 'https://app.example.org' });
		const { headers } = await gateway.send({ path: '/api/horses' });
		expect(headers.vary).toBe('Origin, Accept-Language');
	});

	test('can not take the gateway’s security headers away', async () => {
		const upstream = await bench.upstream((_req, res) => {
			res
				.writeHead(200, { 'X-Frame-Options': 'ALLOWALL', 'Content-Security-Policy': 'default-src *' })
				.end('{}');
		});
		const gateway = await bench.gateway([upstream.url]);
		const { headers } = await gateway.send({ path: '/api/horses' });
		expect(headers['x-frame-options']).toBe('DENY');
		expect(headers['content-security-policy']).toContain("default-src 'self'");
	});
});

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
