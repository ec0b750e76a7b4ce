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

	test.each([
		[404, 404, 'ROUTE_NOT_FOUND'],
		[405, 405, 'METHOD_NOT_ALLOWED'],
		[429, 429, 'RATE_LIMITED'],
		[500, 502, 'UPSTREAM_ERROR'],
		[502, 502, 'UPSTREAM_ERROR'],
		[503, 503, 'SERVICE_UNAVAILABLE'],
		[504, 504, 'UPSTREAM_TIMEOUT'],
	])('%i as an HTML page becomes an envelope with status %i', async (status, shown, code) => {
		const upstream = await bench.raw(
			sends(
				`HTTP/1.1 ${status} X\r\nContent-Type: text/html\r\nRetry-After: 17\r\nAllow: GET\r\n` +
					'Content-Length: 25\r\n\r\n<h1>nginx at 10.0.0.1</h1>'.slice(0, 200),
			),
		);
		const gateway = await bench.gateway([upstream.url], settings);
		const response = await gateway.send({ path: '/api/horses' });
		expect(response.status).toBe(shown);
		expect(response.json()).toMatchObject({
			success: false,
			data: { code, status: shown, context: 'horses' },
		});
		expect(response.body).not.toContain('nginx');
		// Retry-After is useful to the caller.
		expect(response.headers).toMatchObject({ 'retry-after': '17', allow: 'GET' });
	});
});
