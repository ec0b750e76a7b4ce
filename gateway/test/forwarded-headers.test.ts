import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RecordedRequest, rawRequest, recordingUpstream, type TestUpstream } from '@paddock/testing';
import { collectingLogger } from './collecting-logger.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const hostile = [
	['Trailer', 'X-Checksum'],
	['TE', 'trailers'],
	['Keep-Alive', 'timeout=900'],
	['Proxy-Connection', 'keep-alive'],
	['Proxy-Authorization', 'Basic eDp5'],
	['Proxy-Authenticate', 'Basic'],
	['Upgrade', 'h2c'],
	['HTTP2-Settings', 'AAMAAABkAARAAAAAAAIAAAAA'],
	['X-User-Id', '1'],
	['X-User-Role', 'ADMIN'],
	['X_USER_ROLE', 'ADMIN'],
	['X-Auth-Token', 'x'],
	['X-Authenticated-Userid', '1'],
	['X-Internal-Call', 'true'],
	['X-Original-URL', '/auth/profile'],
	['X-Rewrite-URL', '/auth/profile'],
	['X-HTTP-Method-Override', 'DELETE'],
	['X-HTTP-Method', 'DELETE'],
	['X-Method-Override', 'DELETE'],
	['X-Request-Deadline-Ms', '99999999'],
	['X-Real-IP', '203.0.113.1'],
	['True-Client-IP', '203.0.113.1'],
	['Forwarded', 'for=203.0.113.1;host=evil.example;proto=https'],
	['X-Forwarded-For', '203.0.113.1'],
	['X-Forwarded-Host', 'evil.example'],
	['X-Forwarded-Proto', 'https'],
	['X-Forwarded-Port', '1'],
	['X-Forwarded-Prefix', '/evil'],
	['X-Forwarded-Server', 'evil.example'],
	['X-Forwarded-User', 'admin'],
] as const;

const stripped = new Set(
	hostile
		.map(([name]) => name.toLowerCase())
		.filter((name) => !/^x-(?:forwarded-(?:for|host|proto)$|request-deadline)/.test(name)),
);
const ours = {
	'x-forwarded-for': '127.0.0.1',
	'x-forwarded-host': 'gateway.example:8080',
	'x-forwarded-proto': 'http',
};

const bodies: readonly { name: string; method: string; version: string; framing: string; body: string }[] = [
	{ name: 'a GET', method: 'GET', version: '1.1', framing: '', body: '' },
	{ name: 'a GET over HTTP/1.0', method: 'GET', version: '1.0', framing: '', body: '' },
	{
		name: 'a POST with a length',
		method: 'POST',
		version: '1.1',
		framing: 'Content-Length: 7\r\n',
		body: '{"a":1}',
	},
	{
		name: 'a POST over HTTP/1.0',
		method: 'POST',
		version: '1.0',
		framing: 'Content-Length: 7\r\n',
		body: '{"a":1}',
	},
	{
		name: 'a chunked POST with trailers',
		method: 'POST',
		version: '1.1',
		framing: 'Transfer-Encoding: chunked\r\n',
		body: '7\r\n{"a":1}\r\n0\r\nX-User-Id: 1\r\nX-Checksum: 2\r\n\r\n',
	},
	{
		name: 'a POST that expects 100-continue',
		method: 'POST',
		version: '1.1',
		framing: 'Expect: 100-continue\r\nContent-Length: 7\r\n',
		body: '{"a":1}',
	},
];

let upstream: TestUpstream;
let gateway: TestGateway;

beforeAll(async () => {
	upstream = await recordingUpstream();
	gateway = await startTestGateway({
		services: { 'horses-service': [upstream.url] },
		settings: { CONTEXTS: 'auth,horses' },
	});
});

afterAll(async () => {
	await gateway.close();
	await upstream.close();
});

async function send(
	to: TestGateway,
	headers: string,
	call: Partial<(typeof bodies)[number]> = {},
): Promise<RecordedRequest> {
	const { method = 'GET', version = '1.1', framing = '', body = '' } = call;
	const before = upstream.requests.length;
	const head = [
		`${method} /api/horses HTTP/${version}`,
		'Host: gateway.example:8080',
		`Authorization: Bearer ${to.identity.sign()}`,
		'Connection: close',
		`${framing}${headers}`,
	];
	// With HTTP/1.0 the parser treats Proxy-Connection as Connection, so the connection may stay open.
	const response = await rawRequest(
		to.port,
		`${head.join('\r\n')}\r\n${body}`,
		5_000,
		version === '1.0' ? 300 : undefined,
	);
	expect(response.text).toMatch(/^(HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 200 /);
	expect(upstream.requests.length).toBe(before + 1);
	const request = upstream.requests.at(-1);
	if (request === undefined) throw new Error('the service received no request');
	return request;
}

async function rawRequestHead(port: number, path: string, header: string): Promise<{ head: string }> {
	const request = `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${header}\r\n\r\n`;
	const { text } = await rawRequest(port, request);
	return { head: text.slice(0, text.indexOf('\r\n\r\n')).replaceAll('\r', '') };
}

describe('headers of a forwarded request', () => {
	it.each(bodies)('no reserved header is forwarded with $name', async (call) => {
		for (const [name, value] of hostile) {
			const request = await send(gateway, `${name}: ${value}\r\n`, call);
			expect(Object.keys(request.headers).filter((seen) => stripped.has(seen))).toEqual([]);
			expect(request.headers).toMatchObject(ours);
			expect(request.body).toBe(call.method === 'GET' ? '' : '{"a":1}');
		}
	});

	it('no reserved header is forwarded when all are sent together in unusual spellings', async () => {
		const lines = hostile.map(
			([name, value], at) => `${at % 2 === 0 ? name.toUpperCase() : name.toLowerCase()}:\t${value} \r\n`,
		);
		const request = await send(gateway, lines.join(''));
		expect(Object.keys(request.headers).filter((seen) => stripped.has(seen))).toEqual([]);
		expect(request.headers).toMatchObject(ours);
		expect(Number(request.headers['x-request-deadline-ms'])).toBeLessThanOrEqual(5_000);
		expect(request.headers.host).toBe(`127.0.0.1:${upstream.port}`);
	});

	it.each(['close, x-custom, X-Other', 'X-CUSTOM,x-other,close', 'close,\tx-custom ,, x-other , __proto__'])(
		'headers named by Connection (%j) are removed',
		async (tokens) => {
			const request = await send(
				gateway,
				`Connection: ${tokens}\r\nX-Custom: 1\r\nX-Other: 2\r\nX-Third: 3\r\n`,
			);
			expect(request.headers).not.toHaveProperty('x-custom');
			expect(request.headers).not.toHaveProperty('x-other');
			expect(request.headers['x-third']).toBe('3');
		},
	);

	it('Authorization named by Connection counts as absent', async () => {
		const response = await rawRequest(
			gateway.port,
			`GET /api/horses HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${gateway.identity.sign()}\r\nConnection: close, authorization\r\n\r\n`,
		);
		expect(response.status).toBe(401);
	});

	it('framing headers and headers set by the gateway are forwarded even if Connection names them', async () => {
		const names =
			'host, content-length, transfer-encoding, content-type, x-request-id, x-forwarded-for, traceparent';
		const call = {
			method: 'POST',
			framing: 'Content-Length: 7\r\nContent-Type: application/json\r\n',
			body: '{"a":1}',
		};
		const request = await send(gateway, `Connection: close, ${names}\r\nX-Request-Id: mine-1\r\n`, call);
		expect(request.headers).toMatchObject({
			...ours,
			host: `127.0.0.1:${upstream.port}`,
			'content-type': 'application/json',
			'content-length': '7',
			'x-request-id': 'mine-1',
			traceparent: expect.stringMatching(/^00-/),
		});
		expect(request.body).toBe('{"a":1}');
	});

	it('headers beyond Node’s default maximum are filtered too', async () => {
		const many = 'a:\r\n'.repeat(2_100);
		const request = await send(gateway, `${many}X-User-Id: 1\r\nX-Last: yes\r\n`);
		expect(request.headers).not.toHaveProperty('x-user-id');
		expect(request.headers['x-last']).toBe('yes');
	});

	it('all other headers are forwarded unchanged', async () => {
		const request = await send(
			gateway,
			'X-Custom: caf\u00e9\r\nAccept: a/b\r\nAccept: c/d\r\nIf-Match: "1"\r\nCookie: a=1\r\nCookie: b=2\r\n',
		);
		expect(request.headers).toMatchObject({ accept: 'a/b, c/d', 'if-match': '"1"', cookie: 'a=1; b=2' });
		expect(request.headers.authorization).toMatch(/^Bearer ./);
	});
});

describe('behind a trusted proxy', () => {
	const warnings: Record<string, unknown>[] = [];
	let trusting: TestGateway;

	beforeAll(async () => {
		trusting = await startTestGateway({
			services: { 'horses-service': [upstream.url] },
			settings: { CONTEXTS: 'horses', TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' },
			logger: collectingLogger('warn', (line) => warnings.push(JSON.parse(line))),
		});
	});

	afterAll(() => trusting.close());

	it.each([
		['X-Forwarded-For: 203.0.113.9', '203.0.113.9'],
		['X-Forwarded-For: 198.51.100.1, 203.0.113.9', '203.0.113.9'],
		['X-Forwarded-For: 198.51.100.1, 203.0.113.9, 10.1.1.1', '203.0.113.9'],
		[
			'X-Forwarded-For: 198.51.100.1\r\nX-Forwarded-For: 203.0.113.9:5012\r\nX-Forwarded-For: 10.1.1.1:80',
			'203.0.113.9',
		],
		['X-Forwarded-For: 203.0.113.9:5012', '203.0.113.9'],
		['X-Forwarded-For: 203.0.113.9, ,', '203.0.113.9'],
		['X-Forwarded-For: 2001:db8::1', '2001:db8::1'],
		['X-Forwarded-For: [2001:db8::1]:4711', '2001:db8::1'],
		['X-Forwarded-For: ::ffff:203.0.113.9', '203.0.113.9'],
		['X-Forwarded-For: unknown', '127.0.0.1'],
		['X-Forwarded-For: 203.0.113.9, unknown, 10.1.1.1', '10.1.1.1'],
		['X-Forwarded-For: <script>', '127.0.0.1'],
		['Forwarded: for=198.51.100.1, for="[2001:db8::1]:4711";proto=https', '2001:db8::1'],
		['Forwarded: for=198.51.100.1\r\nForwarded: for=203.0.113.9;by=_x', '203.0.113.9'],
		['Forwarded: for=203.0.113.9, for=_hidden', '127.0.0.1'],
	])('%j gives client address %s', async (forwarded, client) => {
		const request = await send(
			trusting,
			`${forwarded}\r\nX-Forwarded-Host: shop.example\r\nX-Forwarded-Proto: https\r\n`,
		);
		expect(request.headers).toMatchObject({
			'x-forwarded-for': client,
			'x-forwarded-host': 'shop.example',
			'x-forwarded-proto': 'https',
		});
		expect(request.headers).not.toHaveProperty('forwarded');
	});

	it('scheme and host are those of Forwarded, or the ones of the connection if they are not usable', async () => {
		const forwarded = await send(trusting, 'Forwarded: for=203.0.113.9;proto=https;host=shop.example\r\n');
		expect(forwarded.headers).toMatchObject({
			'x-forwarded-host': 'shop.example',
			'x-forwarded-proto': 'https',
		});
		const unusable = await send(trusting, 'X-Forwarded-Host: a/b\r\nX-Forwarded-Proto: ftp\r\n');
		expect(unusable.headers).toMatchObject({
			'x-forwarded-host': 'gateway.example:8080',
			'x-forwarded-proto': 'http',
		});
	});

	it.each([
		['X-Forwarded-Proto: https', true],
		['Forwarded: for=203.0.113.9;proto=https', true],
		['X-Forwarded-Proto: https, http', false],
		['X-Forwarded-Proto: http', false],
		['X-Forwarded-Proto: httpss', false],
		['X-Other: https', false],
	])('Strict-Transport-Security with %j: %s, on every kind of response', async (header, isExpected) => {
		const paths = ['/', '/api/horses', '/actuator/health', '/nothing', '/api//horses', '/openapi.yaml'];
		for (const path of paths) {
			const { head } = await rawRequestHead(trusting.port, path, header);
			expect([path, head.match(/^strict-transport-security: .*$/gim)]).toEqual([
				path,
				isExpected ? ['Strict-Transport-Security: max-age=31536000'] : null,
			]);
		}
	});

	it('Strict-Transport-Security is not added because of an untrusted peer', async () => {
		const { head } = await rawRequestHead(gateway.port, '/', 'X-Forwarded-Proto: https');
		expect(head).not.toMatch(/strict-transport-security/i);
	});

	it('an element that is not usable is logged once with its value and counted', async () => {
		for (let at = 0; at < 3; at += 1) await send(trusting, 'X-Forwarded-For: a proxy\r\n');
		expect(warnings.filter(({ value }) => value === 'a proxy')).toEqual([
			expect.objectContaining({ message: 'forwarding header not usable', header: 'x-forwarded-for' }),
		]);
		const metrics = await trusting.opened.deps.operations.metrics.registry.metrics();
		expect(metrics).toMatch(
			/gateway_unusable_forwarding_headers_total\{header="x-forwarded-for"[^}]*\} (?:[3-9]|\d\d)/,
		);
	});
});
