import { Agent } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { rawRequest } from '@paddock/testing';
import { testBench } from './test-bench.ts';

const bench = testBench();

describe('a proxied response', () => {
	test('keeps its headers, with one line per cookie', async () => {
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
			// Written as text, the head would be encoded as UTF-8 as well.
			res.end(Buffer.from('{"ok":true}'));
		});
		const gateway = await bench.gateway([upstream.url]);
		const response = await gateway.send({ method: 'POST', path: '/api/horses', body: '{}' });
		expect(response).toMatchObject({
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

	// The services compress (decision 0036).
	test('is forwarded in its coding, range and cache rules, whatever the client accepts', async () => {
		const compressed = gzipSync('hay '.repeat(1_000));
		const headers = {
			'Content-Type': 'application/json',
			'Content-Encoding': 'gzip',
			'Content-Length': String(compressed.length),
			'Content-Range': `bytes 0-${compressed.length - 1}/9000`,
			'Cache-Control': 'no-transform',
			Vary: 'Accept-Encoding',
			ETag: '"3-gzip"',
		};
		const upstream = await bench.upstream((_req, res) => void res.writeHead(206, headers).end(compressed));
		const gateway = await bench.gateway([upstream.url]);
		for (const accepted of ['gzip', 'br', 'identity']) {
			const lines = [
				...['GET /api/horses HTTP/1.1', 'Host: a', 'Connection: close', 'Range: bytes=0-'],
				...[`Authorization: Bearer ${gateway.identity.sign()}`, `Accept-Encoding: ${accepted}`, '', ''],
			];
			const response = await rawRequest(gateway.port, lines.join('\r\n'));
			const expected = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
			expect(response).toMatchObject({ status: 206, headers: Object.fromEntries(expected) });
			expect(Buffer.from(response.body, 'latin1')).toEqual(compressed);
		}
	});

	test('loses headers about the connection and the software of the upstream', async () => {
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
		const response = await gateway.send({ method: 'HEAD', path: '/api/horses' });
		expect(response).toMatchObject({
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
		const response = await gateway.send({ method: 'DELETE', path: '/api/horses/7' });
		expect(response).toMatchObject({ status: 204, body: '', complete: true, headers: { etag: '"v2"' } });
		expect(response.headers['content-length']).toBeUndefined();
		expect(response.headers['transfer-encoding']).toBeUndefined();
	});

	test('304 keeps its ETag and has no body', async () => {
		const upstream = await bench.upstream((req, res) => {
			res.writeHead(req.headers['if-none-match'] === '"v1"' ? 304 : 200, { ETag: '"v1"' }).end();
		});
		const gateway = await bench.gateway([upstream.url]);
		const response = await gateway.send({ path: '/api/horses', headers: { 'If-None-Match': '"v1"' } });
		expect(response).toMatchObject({ status: 304, body: '', complete: true, headers: { etag: '"v1"' } });
	});

	test('is the final one after 100, 102 and 103', async () => {
		const upstream = await bench.raw((socket) => {
			socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n');
			socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n');
			socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntrue');
		});
		const gateway = await bench.gateway([upstream.url]);
		expect(await gateway.send({ path: '/api/horses' })).toMatchObject({ status: 200, body: 'true' });
	});

	test('adds its Vary to that of the gateway', async () => {
		const upstream = await bench.upstream((_req, res) => {
			res.writeHead(200, { Vary: 'Accept-Language' }).end('{}');
		});
		const gateway = await bench.gateway([upstream.url], { CORS_ORIGINS: 'https://app.example.org' });
		const { headers } = await gateway.send({ path: '/api/horses' });
		expect(headers.vary).toBe('Origin, Accept-Language');
	});

	test('cannot remove the gateway’s security headers', async () => {
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

describe('a response with a repeated header', () => {
	test('is relayed with one value each, as Node reads them', async () => {
		const upstream = await bench.raw((socket) => {
			const twice = (name: string) => `${name}: a\r\n${name}: b\r\n`;
			const head = ['ETag', 'Location', 'X-Custom', 'Set-Cookie', 'Vary', 'Cache-Control'].map(twice);
			socket.write(`HTTP/1.1 200 OK\r\n${head.join('')}Content-Length: 2\r\n\r\n{}`);
		});
		const gateway = await bench.gateway([upstream.url]);
		const token = gateway.identity.sign();
		const head = `GET /api/horses HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
		const { text } = await rawRequest(gateway.port, head);
		expect(text.split('\r\n')).toEqual(
			expect.arrayContaining(['etag: a', 'location: a', 'x-custom: a, b', 'set-cookie: a', 'set-cookie: b']),
		);
	});
});
