import type { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();
// One failure is enough to open the breaker, so that its state says whether the instance was blamed.
const settings = { RESPONSE_TIMEOUT_MS: '5000', BREAKER_VOLUME: '1', BREAKER_OPEN_MS: '60000' };

const say =
	(text: string) =>
	(socket: Socket): void =>
		void socket.write(text, 'latin1');

function breakerStates(gateway: BenchGateway): string[] {
	const { table } = gateway.opened.deps;
	return table.upstreams('horses-service').map(({ breaker }) => breaker.view().state);
}

describe('an answer that is odd but whole', () => {
	const odd: Record<string, string> = {
		'control bytes in its reason': 'HTTP/1.1 200 O\x01\x7fK\r\nContent-Length: 2\r\n\r\n{}',
		'bytes beyond ASCII in its reason': 'HTTP/1.1 200 \xc3\x96K\xff\r\nContent-Length: 2\r\n\r\n{}',
		'no reason': 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\n{}',
		'a Trailer beside its length': 'HTTP/1.1 200 OK\r\nTrailer: X-A\r\nContent-Length: 2\r\n\r\n{}',
		'a Trailer and trailers':
			'HTTP/1.1 200 OK\r\nTrailer: X-A\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-A: b\r\n\r\n',
		'HTTP/1.0': 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}',
	};

	test.each(Object.entries(odd))('(%s) passes', async (name, text) => {
		const upstream = await bench.raw(say(text));
		const gateway = await bench.gateway([upstream.url], settings);
		const answer = await gateway.send({ path: '/api/horses' });
		// Strict about control bytes is fine, too; hanging, dying or passing them on is not.
		const refused = answer.status === 502 && name.startsWith('control');
		expect(refused || (answer.status === 200 && answer.body === '{}' && answer.complete)).toBe(true);
		expect(answer.headers.trailer).toBeUndefined();
		expect((await gateway.send({ path: '/actuator/health/liveness' })).status).toBe(200);
	});

	test('(bytes after its end) passes, and they are nobody’s answer', async () => {
		const upstream = await bench.raw(
			say('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil'),
		);
		const gateway = await bench.gateway([upstream.url], { ...settings, BREAKER_VOLUME: '100' });
		for (let round = 0; round < 5; round += 1) {
			const answer = await gateway.send({ path: '/api/horses' });
			expect(answer.body).not.toContain('evil');
		}
	});
});

describe('a failure that the service answers itself', () => {
	const json = (status: number, extra = '') => {
		const body = `{"success":false,"data":{"code":"X","status":${status}},"message":"m","timestamp":"t"}`;
		return say(
			`HTTP/1.1 ${status} Whatever\r\nContent-Type: application/json\r\n${extra}Content-Length: ${body.length}\r\n\r\n${body}`,
		);
	};

	test.each([400, 401, 404, 409, 422, 429, 500, 501])(
		'%i passes and is no failure of the instance',
		async (status) => {
			const upstream = await bench.raw(json(status));
			const gateway = await bench.gateway([upstream.url], settings);
			const answer = await gateway.send({ path: '/api/horses' });
			expect(answer.status).toBe(status);
			expect(answer.json()).toMatchObject({ data: { code: 'X' } });
			expect(breakerStates(gateway)).toEqual(['CLOSED']);
			expect(await gateway.counted('gateway_upstream_failures_total', {})).toBe(0);
		},
	);

	test.each([502, 503, 504])('%i passes with its Retry-After and is one', async (status) => {
		const upstream = await bench.raw(json(status, 'Retry-After: 17\r\n'));
		const gateway = await bench.gateway([upstream.url], settings);
		const answer = await gateway.send({ path: '/api/horses' });
		expect(answer.status).toBe(status);
		expect(answer.headers['retry-after']).toBe('17');
		expect(answer.json()).toMatchObject({ data: { code: 'X' } });
		expect(breakerStates(gateway)).toEqual(['OPEN']);
		expect(await gateway.counted('gateway_upstream_failures_total', { failure: 'failureStatus' })).toBe(1);
	});

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
			say(
				`HTTP/1.1 ${status} X\r\nContent-Type: text/html\r\nRetry-After: 17\r\nAllow: GET\r\n` +
					'Content-Length: 25\r\n\r\n<h1>nginx at 10.0.0.1</h1>'.slice(0, 200),
			),
		);
		const gateway = await bench.gateway([upstream.url], settings);
		const answer = await gateway.send({ path: '/api/horses' });
		expect(answer.status).toBe(shown);
		expect(answer.json()).toMatchObject({ success: false, data: { code, status: shown, context: 'horses' } });
		expect(answer.body).not.toContain('nginx');
		// What tells the caller what to do is worth keeping.
		expect(answer.headers).toMatchObject({ 'retry-after': '17', allow: 'GET' });
	});
});
