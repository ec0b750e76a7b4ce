import { createServer, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();
// One failure opens the breaker, so its state shows whether the response counted as a failure.
const settings = { RESPONSE_TIMEOUT_MS: '5000', BREAKER_VOLUME: '1', BREAKER_OPEN_MS: '60000' };

const sends =
	(text: string) =>
	(socket: Socket): void =>
		void socket.write(text, 'latin1');

function breakerStates(gateway: BenchGateway): string[] {
	const { table } = gateway.opened.deps;
	return table.upstreams('horses-service').map(({ breaker }) => breaker.view().state);
}

describe('an unusual but complete response', () => {
	const odd: Record<string, string> = {
		'control bytes in its reason': 'HTTP/1.1 200 O\x01\x7fK\r\nContent-Length: 2\r\n\r\n{}',
		'bytes beyond ASCII in its reason': 'HTTP/1.1 200 \xc3\x96K\xff\r\nContent-Length: 2\r\n\r\n{}',
		'no reason': 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\n{}',
		'a Trailer beside its length': 'HTTP/1.1 200 OK\r\nTrailer: X-A\r\nContent-Length: 2\r\n\r\n{}',
		'a Trailer and trailers':
			'HTTP/1.1 200 OK\r\nTrailer: X-A\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-A: b\r\n\r\n',
		'HTTP/1.0': 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}',
	};

	test.each(Object.entries(odd))('(%s) is forwarded', async (name, text) => {
		const upstream = await bench.raw(sends(text));
		const gateway = await bench.gateway([upstream.url], settings);
		const response = await gateway.send({ path: '/api/horses' });
		// Refusing control bytes is correct as well; hanging, exiting or forwarding them is not.
		const refused = response.status === 502 && name.startsWith('control');
		expect(refused || (response.status === 200 && response.body === '{}' && response.complete)).toBe(true);
		expect(response.headers.trailer).toBeUndefined();
		expect((await gateway.send({ path: '/actuator/health/liveness' })).status).toBe(200);
	});

	test('(bytes after its end) is forwarded, and the bytes are discarded', async () => {
		const upstream = await bench.raw(
			sends('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil'),
		);
		const gateway = await bench.gateway([upstream.url], { ...settings, BREAKER_VOLUME: '100' });
		for (let round = 0; round < 5; round += 1) {
			const response = await gateway.send({ path: '/api/horses' });
			expect(response.body).not.toContain('evil');
		}
	});
});

describe('a failure response of the service', () => {
	const json = (status: number, extra = '') => {
		const body = `{"success":false,"data":{"code":"X","status":${status}},"message":"m","timestamp":"t"}`;
		return sends(
			`HTTP/1.1 ${status} Whatever\r\nContent-Type: application/json\r\n${extra}Content-Length: ${body.length}\r\n\r\n${body}`,
		);
	};

	test.each([400, 401, 404, 409, 422, 429, 500, 501])(
		'%i is forwarded and does not count as a failure of the instance',
		async (status) => {
			const upstream = await bench.raw(json(status));
			const gateway = await bench.gateway([upstream.url], settings);
			const response = await gateway.send({ path: '/api/horses' });
			expect(response.status).toBe(status);
			expect(response.json()).toMatchObject({ data: { code: 'X' } });
			expect(breakerStates(gateway)).toEqual(['CLOSED']);
			expect(await gateway.counted('gateway_upstream_failures_total', {})).toBe(0);
		},
	);

	test.each([502, 503, 504])(
		'%i is forwarded with its Retry-After and counts as a failure of the instance',
		async (status) => {
			const upstream = await bench.raw(json(status, 'Retry-After: 17\r\n'));
			const gateway = await bench.gateway([upstream.url], settings);
			const response = await gateway.send({ path: '/api/horses' });
			expect(response.status).toBe(status);
			expect(response.headers['retry-after']).toBe('17');
			expect(response.json()).toMatchObject({ data: { code: 'X' } });
			expect(breakerStates(gateway)).toEqual(['OPEN']);
			expect(await gateway.counted('gateway_upstream_failures_total', { failure: 'failureStatus' })).toBe(1);
		},
	);

	// Of a status without a code of its own, 400 "not well-formed HTTP" or 502 was made.
	const statuses = Array.from({ length: 200 }, (_, at) => 400 + at).filter(
		(status) => STATUS_CODES[status] !== undefined,
	);
	test('of any status as an HTML page becomes an envelope with that status', async () => {
		const kept = {
			'accept-ranges': 'bytes',
			allow: 'GET',
			'content-range': 'bytes */1234',
			link: '<https://law.example.org>; rel="blocked-by"',
			'retry-after': '17',
			'www-authenticate': 'Basic realm="nginx"',
		};
		const lines = Object.entries(kept).map(([name, value]) => `${name}: ${value}\r\n`);
		const body = '<h1>nginx at 10.0.0.1</h1>';
		let status = 0;
		const upstream = await bench.raw((socket) => {
			socket.write(
				`HTTP/1.1 ${status} X\r\nContent-Type: text/html\r\nETag: "page"\r\nUpgrade: TLS/1.3\r\n${lines.join('')}` +
					`Content-Length: ${body.length}\r\n\r\n${body}`,
			);
		});
		const gateway = await bench.gateway([upstream.url], { ...settings, BREAKER_VOLUME: '1000' });
		expect(statuses.length).toBeGreaterThan(35);
		for (status of statuses) {
			const response = await gateway.send({ path: '/api/horses' });
			expect(response.status).toBe(status);
			expect(response.json()).toMatchObject({ success: false, data: { status, context: 'horses' } });
			expect(response.body).not.toContain('nginx');
			expect(response.headers).toMatchObject(kept);
			expect(response.headers.etag).toBeUndefined();
			// RFC 9110 §15.5.22: a 426 must have it; it describes no other connection.
			expect(response.headers.upgrade).toBe(status === 426 ? 'TLS/1.3' : undefined);
		}
	});

	test.each([
		[404, 'ROUTE_NOT_FOUND'],
		[405, 'METHOD_NOT_ALLOWED'],
		[410, 'UPSTREAM_REFUSED'],
		[416, 'UPSTREAM_REFUSED'],
		[429, 'RATE_LIMITED'],
		[500, 'INTERNAL_ERROR'],
		[501, 'UPSTREAM_ERROR'],
		[503, 'SERVICE_UNAVAILABLE'],
	])('%i as an HTML page has the code %s', async (status, code) => {
		const upstream = await bench.raw(
			sends(`HTTP/1.1 ${status} X\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<hr>`),
		);
		const gateway = await bench.gateway([upstream.url], settings);
		expect((await gateway.send({ path: '/api/horses' })).json().data['code']).toBe(code);
	});

	test('426 with an envelope keeps its Upgrade, too', async () => {
		const upstream = await bench.raw(json(426, 'Upgrade: TLS/1.3\r\nConnection: Upgrade\r\n'));
		const gateway = await bench.gateway([upstream.url], settings);
		const response = await gateway.send({ path: '/api/horses' });
		expect([response.status, response.headers.upgrade]).toEqual([426, 'TLS/1.3']);
		expect(response.headers.connection).toMatch(/Upgrade/);
	});
});

describe('a response with another transfer coding than chunked', () => {
	// The coding was removed with the other hop-by-hop headers, and its bytes were relayed as the content.
	test.each([
		'gzip, chunked',
		'gzip',
		'identity',
		'chunked, chunked',
		'deflate\r\nTransfer-Encoding: chunked',
	])('(%s) is 502', async (coding) => {
		const upstream = await bench.raw((socket) => {
			socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`);
		});
		const gateway = await bench.gateway([upstream.url], { ...settings, BREAKER_VOLUME: '100' });
		const response = await gateway.send({ path: '/api/horses' });
		expect([response.status, response.json().data['code']]).toEqual([502, 'UPSTREAM_ERROR']);
	});

	test('(chunked in odd case) is relayed', async () => {
		const upstream = await bench.raw(
			sends('HTTP/1.1 200 OK\r\nTransfer-Encoding: CHUNKED\r\n\r\n2\r\n{}\r\n0\r\n\r\n'),
		);
		const gateway = await bench.gateway([upstream.url], settings);
		expect(await gateway.send({ path: '/api/horses' })).toMatchObject({ status: 200, body: '{}' });
	});
});

describe('an early refusal of a large body', () => {
	const mebibyte = 1_048_576;
	const large = { BODY_BYTES_MAX: String(32 * mebibyte), BODY_BUFFER_BYTES_MAX: String(64 * mebibyte) };
	const page =
		'HTTP/1.1 413 X\r\nContent-Type: text/html\r\nContent-Length: 4\r\nConnection: close\r\n\r\n<hr>';
	const envelope = '{"success":false,"data":{"code":"TOO_LARGE","status":413},"message":"m","timestamp":"t"}';
	const enveloped = `HTTP/1.1 413 X\r\nContent-Type: application/json\r\nContent-Length: ${envelope.length}\r\n\r\n${envelope}`;

	// The failed write destroyed the socket before the response was read: 502, and a failure of the instance.
	test.each([
		['a page, then a reset', page, (socket: Socket) => socket.resetAndDestroy(), 'PAYLOAD_TOO_LARGE'],
		['a page, then the end', page, (socket: Socket) => socket.destroySoon(), 'PAYLOAD_TOO_LARGE'],
		['an envelope, then a reset', enveloped, (socket: Socket) => socket.resetAndDestroy(), 'TOO_LARGE'],
		// The kernel has room for smaller ones.
		['an envelope, then nothing', enveloped, (socket: Socket) => socket.pause(), 'TOO_LARGE', [20, 20]],
	])(
		'(%s) is relayed, and is not a failure of the instance',
		async (_name, text, then, code, sizes = [1, 1, 1, 5, 5, 20]) => {
			const url = await bench.serve(
				createServer((req, _res) => {
					const { socket } = req;
					// Like a proxy that reads the head only.
					socket.pause();
					socket.write(text, () => then(socket));
				}).on('clientError', (_error, socket) => socket.destroy()),
			);
			const gateway = await bench.gateway([url], { ...settings, ...large });
			for (const size of sizes) {
				const body = 'x'.repeat(size * mebibyte);
				const response = await gateway.send({ method: 'POST', path: '/api/horses', body });
				expect([size, response.status, response.json().data['code']]).toEqual([size, 413, code]);
			}
			expect(breakerStates(gateway)).toEqual(['CLOSED']);
			expect(await gateway.counted('gateway_upstream_failures_total', {})).toBe(0);
		},
		60_000,
	);
});
