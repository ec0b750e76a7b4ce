import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { eventually, patient, rawRequest } from '@paddock/testing';
import { testBench } from './test-bench.ts';

const bench = testBench();

/** The bytes that the upstream sends before it closes the connection or stalls. */
const cuts: Record<string, { head: string; body: string; reset: boolean; silent: boolean }> = {
	'shorter than its length, connection closed': {
		head: 'Content-Length: 1000',
		body: 'x'.repeat(100),
		reset: false,
		silent: false,
	},
	'shorter than its length, connection reset': {
		head: 'Content-Length: 1000',
		body: 'x'.repeat(100),
		reset: true,
		silent: false,
	},
	'without the last chunk, connection closed': {
		head: 'Transfer-Encoding: chunked',
		body: '5\r\nhello\r\n',
		reset: false,
		silent: false,
	},
	'without the last chunk, connection reset': {
		head: 'Transfer-Encoding: chunked',
		body: '5\r\nhello\r\n',
		reset: true,
		silent: false,
	},
	'neither length nor chunks, connection reset': {
		head: 'Content-Type: text/plain',
		body: 'hello',
		reset: true,
		silent: false,
	},
	'neither length nor chunks, Connection: close, connection reset': {
		head: 'Connection: close',
		body: 'hello',
		reset: true,
		silent: false,
	},
	'an invalid chunk': {
		head: 'Transfer-Encoding: chunked',
		body: '5\r\nhello\r\nzz\r\n',
		reset: false,
		silent: true,
	},
	'neither length nor chunks, stalled for longer than the idle timeout': {
		head: 'Connection: close',
		body: 'hello',
		reset: false,
		silent: true,
	},
	'stalled for longer than the idle timeout': {
		head: 'Transfer-Encoding: chunked',
		body: '5\r\nhello\r\n',
		reset: false,
		silent: true,
	},
};

describe('a truncated response', () => {
	test.each(Object.entries(cuts))(
		'(%s) never appears complete',
		async (_name, { head, body, reset, silent }) => {
			const upstream = await bench.raw((socket) => {
				socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${body}`);
				if (silent) return;
				setTimeout(() => {
					if (reset) socket.resetAndDestroy();
					else socket.end();
				}, 50);
			});
			const gateway = await bench.gateway([upstream.url], { IDLE_TIMEOUT_MS: '200' });
			const response = await gateway.send({ path: '/api/horses' });
			expect(response).toMatchObject({ status: 200, complete: false });
			const count = (labels: Record<string, string>) =>
				gateway.counted('gateway_upstream_failures_total', labels);
			await eventually('the failure is counted', async () => (await count({})) > 0, 1_000);
			expect([await count({ failure: 'cutOff' }), await count({})]).toEqual([1, 1]);
			// It doesn't count as a disconnected client.
			const requests = (status: string) =>
				gateway.counted('gateway_request_duration_seconds', { status, route: '/api/horses', le: '+Inf' });
			await eventually('the request is counted', async () => (await requests('200')) > 0, 1_000);
			expect([await requests('200'), await requests('499')]).toEqual([1, 0]);
		},
	);

	test('resets the connection of an HTTP/1.0 client, for which a close would mark the end of the body', async () => {
		const upstream = await bench.raw((socket) => {
			socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n');
			setTimeout(() => socket.destroy(), 50);
		});
		const gateway = await bench.gateway([upstream.url]);
		const socket = connect({ port: gateway.port, host: '127.0.0.1' });
		const ended = new Promise((resolve) => {
			socket.on('end', () => resolve('end'));
			socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
		});
		socket.write(
			`GET /api/horses HTTP/1.0\r\nHost: g\r\nAuthorization: Bearer ${gateway.identity.sign()}\r\n\r\n`,
		);
		socket.resume();
		expect(await ended).toBe('ECONNRESET');
	});

	test('is not confused with a complete response to an HTTP/1.0 client', async () => {
		const upstream = await bench.upstream((_req, res) => {
			res.write('one');
			res.end('two');
		});
		const gateway = await bench.gateway([upstream.url]);
		const token = gateway.identity.sign();
		const raw = `GET /api/horses HTTP/1.0\r\nHost: g\r\nAuthorization: Bearer ${token}\r\n\r\n`;
		expect(await rawRequest(gateway.port, raw)).toMatchObject({
			status: 200,
			body: 'onetwo',
			closedByPeer: true,
		});
	});

	test('ends after IDLE_TIMEOUT_MS even if UPSTREAM_IDLE_MS is shorter', async () => {
		const upstream = await bench.raw((socket, head) => {
			if (head.includes('/fast')) {
				socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
				return;
			}
			setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}'), 300);
		});
		const gateway = await bench.gateway([upstream.url], { UPSTREAM_IDLE_MS: '100', IDLE_TIMEOUT_MS: '200' });
		await gateway.send({ path: '/api/horses/fast' });
		const response = await gateway.send({ path: '/api/horses/slow' });
		expect(response).toMatchObject({ status: 200, complete: false });
		expect(response.durationMs).toBeLessThan(patient(2_000));
	});
});
