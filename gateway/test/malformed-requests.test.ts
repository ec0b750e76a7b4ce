import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { patient, rawRequest } from '@paddock/testing';
import { expectFailure } from './expect-failure.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const head = (line: string, ...headers: string[]) =>
	[line, 'Host: a', 'Connection: close', ...headers, '', ''].join('\r\n');
const post = (...headers: string[]) => head('POST /auth/login HTTP/1.1', ...headers);

/** Request bytes, with the expected status and code. */
const cases: [name: string, bytes: string, status: number, code: string][] = [
	['two Host headers', head('GET / HTTP/1.1', 'Host: b'), 400, 'MALFORMED_REQUEST'],
	['the same Host twice', head('GET / HTTP/1.1', 'Host: a'), 400, 'MALFORMED_REQUEST'],
	['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'MALFORMED_REQUEST'],
	['an empty Host', 'GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n', 400, 'MALFORMED_REQUEST'],
	[
		'a Host with a path',
		'GET / HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n',
		400,
		'MALFORMED_REQUEST',
	],
	[
		'a Host with a user',
		'GET / HTTP/1.1\r\nHost: a@b\r\nConnection: close\r\n\r\n',
		400,
		'MALFORMED_REQUEST',
	],
	[
		'a Host that is a list',
		'GET / HTTP/1.1\r\nHost: a, b\r\nConnection: close\r\n\r\n',
		400,
		'MALFORMED_REQUEST',
	],
	[
		'Transfer-Encoding: gzip, chunked',
		`${post('Transfer-Encoding: gzip, chunked')}0\r\n\r\n`,
		400,
		'MALFORMED_REQUEST',
	],
	['Transfer-Encoding: identity', post('Transfer-Encoding: identity'), 400, 'MALFORMED_REQUEST'],
	[
		'Transfer-Encoding: chunked twice',
		`${post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
		400,
		'MALFORMED_REQUEST',
	],
	[
		'Transfer-Encoding with a vertical tab',
		`${post('Transfer-Encoding: \vchunked')}0\r\n\r\n`,
		400,
		'MALFORMED_REQUEST',
	],
	[
		'Transfer-Encoding : chunked',
		`${post('Transfer-Encoding : chunked')}0\r\n\r\n`,
		400,
		'MALFORMED_REQUEST',
	],
	[
		'HTTP/1.0 in chunks',
		'POST /auth/login HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
		400,
		'MALFORMED_REQUEST',
	],
	[
		'a length and chunks',
		`${post('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
		400,
		'MALFORMED_REQUEST',
	],
	[
		'chunks and a length',
		`${post('Transfer-Encoding: chunked', 'Content-Length: 5')}0\r\n\r\n`,
		400,
		'MALFORMED_REQUEST',
	],
	['two lengths', `${post('Content-Length: 2', 'Content-Length: 3')}{}`, 400, 'MALFORMED_REQUEST'],
	['a list of two lengths', `${post('Content-Length: 2, 2')}{}`, 400, 'MALFORMED_REQUEST'],
	['a negative length', `${post('Content-Length: -2')}{}`, 400, 'MALFORMED_REQUEST'],
	['a length with a sign', `${post('Content-Length: +2')}{}`, 400, 'MALFORMED_REQUEST'],
	['a hexadecimal length', `${post('Content-Length: 0x2')}{}`, 400, 'MALFORMED_REQUEST'],
	['a length of 40 digits', `${post(`Content-Length: ${'9'.repeat(40)}`)}{}`, 400, 'MALFORMED_REQUEST'],
	['an invalid chunk size', `${post('Transfer-Encoding: chunked')}ZZ\r\n`, 400, 'MALFORMED_REQUEST'],
	[
		'a chunk longer than its size',
		`${post('Transfer-Encoding: chunked')}1\r\nabc\r\n0\r\n\r\n`,
		400,
		'MALFORMED_REQUEST',
	],
	[
		'endless chunk extensions',
		`${post('Transfer-Encoding: chunked')}1;${'a'.repeat(20_000)}\r\nx\r\n0\r\n\r\n`,
		413,
		'PAYLOAD_TOO_LARGE',
	],
	['TRACE', head('TRACE / HTTP/1.1'), 405, 'METHOD_NOT_ALLOWED'],
	['CONNECT', head('CONNECT a:443 HTTP/1.1'), 405, 'METHOD_NOT_ALLOWED'],
	['PROPFIND', head('PROPFIND / HTTP/1.1'), 405, 'METHOD_NOT_ALLOWED'],
	['PURGE', head('PURGE /api/ping HTTP/1.1'), 405, 'METHOD_NOT_ALLOWED'],
	['an unknown method', head('BREW / HTTP/1.1'), 400, 'MALFORMED_REQUEST'],
	['a method in lower case', head('get / HTTP/1.1'), 400, 'MALFORMED_REQUEST'],
	['HTTP/2.0', head('GET / HTTP/2.0'), 400, 'MALFORMED_REQUEST'],
	['HTTP/0.9', 'GET /\r\n\r\n', 400, 'MALFORMED_REQUEST'],
	['HTTP/1.2', head('GET / HTTP/1.2'), 400, 'MALFORMED_REQUEST'],
	['HTTP/11', head('GET / HTTP/11'), 400, 'MALFORMED_REQUEST'],
	['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'MALFORMED_REQUEST'],
	['bare line feeds', 'GET / HTTP/1.1\nHost: a\nConnection: close\n\n', 400, 'MALFORMED_REQUEST'],
	['a bare line feed between headers', 'GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n', 400, 'MALFORMED_REQUEST'],
	['a folded header', head('GET / HTTP/1.1', 'X: a', ' b'), 400, 'MALFORMED_REQUEST'],
	['a space before the colon', head('GET / HTTP/1.1', 'X : a'), 400, 'MALFORMED_REQUEST'],
	['a header without a colon', head('GET / HTTP/1.1', 'nonsense'), 400, 'MALFORMED_REQUEST'],
	['NUL in a header', head('GET / HTTP/1.1', 'X: a\0b'), 400, 'MALFORMED_REQUEST'],
	['NUL in the path', head('GET /\0 HTTP/1.1'), 400, 'MALFORMED_REQUEST'],
	['a control byte in the query', head('GET /?a=\x01 HTTP/1.1'), 400, 'MALFORMED_REQUEST'],
	['a tab in the query', head('GET /?a=\t HTTP/1.1'), 400, 'MALFORMED_REQUEST'],
	['a fragment', head('GET /?a=1#b HTTP/1.1'), 400, 'AMBIGUOUS_PATH'],
	['GET *', head('GET * HTTP/1.1'), 400, 'AMBIGUOUS_PATH'],
	['the absolute form of another host', head('GET http://evil.example/ HTTP/1.1'), 400, 'AMBIGUOUS_PATH'],
	['garbage', `${'\x80\x81\xfe\xff'.repeat(50)}\r\n\r\n`, 400, 'MALFORMED_REQUEST'],
	['a TLS hello', '\x16\x03\x01\x00\xf8\x01\x00\x00\xf4\x03\x03', 400, 'MALFORMED_REQUEST'],
	['an SSH banner', 'SSH-2.0-OpenSSH_9.2\r\n', 400, 'MALFORMED_REQUEST'],
	[
		'a websocket',
		head('GET /api/ping HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'),
		400,
		'UPGRADE_NOT_SUPPORTED',
	],
	[
		'a websocket on a gateway page',
		head('GET / HTTP/1.1', 'Connection: Upgrade', 'Upgrade: WebSocket'),
		400,
		'UPGRADE_NOT_SUPPORTED',
	],
	[
		'an unknown expectation',
		`${post('Expect: a-miracle', 'Content-Length: 2')}{}`,
		417,
		'EXPECTATION_FAILED',
	],
	['a long address', head(`GET /?${'a'.repeat(9_000)} HTTP/1.1`), 414, 'URI_TOO_LONG'],
	['a long header', head('GET / HTTP/1.1', `X: ${'a'.repeat(17_000)}`), 431, 'HEADERS_TOO_LARGE'],
	[
		'a header beyond the parser’s limit',
		head('GET / HTTP/1.1', `X: ${'a'.repeat(60_000)}`),
		431,
		'HEADERS_TOO_LARGE',
	],
	['many headers', head('GET / HTTP/1.1', ...Array(3_000).fill('a: b')), 431, 'HEADERS_TOO_LARGE'],
	[
		'2 MB of headers',
		head('GET / HTTP/1.1', ...Array(1_000).fill(`X: ${'a'.repeat(2_000)}`)),
		431,
		'HEADERS_TOO_LARGE',
	],
];

describe('malformed requests', () => {
	let gateway: TestGateway;

	beforeAll(async () => {
		gateway = await startTestGateway();
	});

	afterAll(async () => {
		await gateway.close();
	});

	it.each(cases)(
		'%s: an immediate response with an envelope, and the gateway keeps running',
		async (_name, bytes, status, code) => {
			const startedAt = performance.now();
			const response = await rawRequest(gateway.port, Buffer.from(bytes, 'latin1'));
			expectFailure(response, status, code);
			expect(response.closedByPeer).toBe(true);
			if (status === 405) expect(response.headers['allow']).toContain('GET');
			expect(performance.now() - startedAt).toBeLessThan(patient(3_000));
			expect(gateway.auth.requests.filter(({ url }) => url !== '/.well-known/jwks.json')).toEqual([]);
			expect((await fetch(`${gateway.url}/`)).status).toBe(200);
		},
	);

	it('OPTIONS * lists the methods of the server', async () => {
		const response = await rawRequest(gateway.port, head('OPTIONS * HTTP/1.1'));
		expect([response.status, response.headers['allow']]).toEqual([
			204,
			'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
		]);
	});

	it('HTTP/1.0 requires no Host', async () => {
		expect((await rawRequest(gateway.port, 'GET / HTTP/1.0\r\n\r\n')).status).toBe(200);
	});

	it('an offer of h2c is ignored, as RFC 9110 §7.8 allows', async () => {
		const response = await rawRequest(
			gateway.port,
			head(
				'GET / HTTP/1.1',
				'Connection: Upgrade, HTTP2-Settings',
				'Upgrade: h2c',
				'HTTP2-Settings: AAMAAABk',
			),
		);
		expect(response.status).toBe(200);
	});

	it('a connection that closes without a request or during one does no harm', async () => {
		for (const bytes of ['', 'G', 'GET / HTTP/1.1\r\nHo', `${post('Content-Length: 100')}{`]) {
			await rawRequest(gateway.port, bytes, 30);
		}
		expect((await fetch(`${gateway.url}/`)).status).toBe(200);
	});

	it('bytes after a refused request are never parsed as another request', async () => {
		const smuggled = 'GET /actuator/health/liveness HTTP/1.1\r\nHost: a\r\n\r\n';
		const response = await rawRequest(
			gateway.port,
			`${post('Transfer-Encoding: gzip, chunked').replace('close', 'keep-alive')}0\r\n\r\n${smuggled}`,
			400,
		);
		expect(response.status).toBe(400);
		const broken = await rawRequest(gateway.port, `BREW / HTTP/1.1\r\nHost: a\r\n\r\n${smuggled}`);
		expect(broken.text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
	});
});
