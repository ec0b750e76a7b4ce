import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { eventually, rawRequest } from '@paddock/testing';
import { testBench } from './test-bench.ts';

const bench = testBench();

/** Everything up to here was sent; now the upstream dies or falls silent. */
const cuts: Record<string, { head: string; body: string; reset: boolean; silent: boolean }> = {
	'its length unfulfilled, connection ended': {
		head: 'Content-Length: 1000',
		body: 'x'.repeat(100),
		reset: false,
		silent: false,
	},
	'its length unfulfilled, connection reset': {
		head: 'Content-Length: 1000',
		body: 'x'.repeat(100),
		reset: true,
		silent: false,
	},
	'chunks without an end, connection ended': {
		head: 'Transfer-Encoding: chunked',
		body: '5\r\nhello\r\n',
		reset: false,
		silent: false,
	},
	'chunks without an end, connection reset': {
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
	'neither length nor chunks, announced as the last, connection reset': {
		head: 'Connection: close',
		body: 'hello',
		reset: true,
		silent: false,
	},
	'a chunk that is none': {
		head: 'Transfer-Encoding: chunked',
		body: '5\r\nhello\r\nzz\r\n',
		reset: false,
		silent: true,
	},
	'silence past the idle time': {
		head: 'Transfer-Encoding: chunked',
		body: '5\r\nhello\r\n',
		reset: false,
		silent: true,
	},
};

describe('an answer that is cut off', () => {
	test.each(Object.entries(cuts))('(%s) never looks whole', async (_name, { head, body, reset, silent }) => {
		const upstream = await bench.raw((socket) => {
			socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${body}`);
			if (silent) return;
			setTimeout(() => {
				if (reset) socket.resetAndDestroy();
				else socket.end();
			}, 50);
		});
		const gateway = await bench.gateway([upstream.url], { IDLE_TIMEOUT_MS: '200' });
		const answer = await gateway.send({ path: '/api/horses' });
		expect(answer).toMatchObject({ status: 200, complete: false });
		const count = (labels: Record<string, string>) =>
			gateway.counted('gateway_upstream_failures_total', labels);
		await eventually('it is counted', async () => (await count({})) > 0, 1_000);
		expect([await count({ failure: 'cutOff' }), await count({})]).toEqual([1, 1]);
		// It is not the client that left.
		const requests = (status: string) =>
			gateway.counted('gateway_request_duration_seconds', { status, route: '/api/horses', le: '+Inf' });
		await eventually('the request is counted', async () => (await requests('200')) > 0, 1_000);
		expect([await requests('200'), await requests('499')]).toEqual([1, 0]);
	});

	test('breaks the connection of an HTTP/1.0 client with a reset, as an end would be the end of the body', async () => {
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

	test('leaves a whole answer to an HTTP/1.0 client as it is', async () => {
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

	test('stops after its idle time even where connections are kept for less', async () => {
		const upstream = await bench.raw((socket, head) => {
			if (head.includes('/fast')) {
				socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
				return;
			}
			setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}'), 300);
		});
		const gateway = await bench.gateway([upstream.url], { UPSTREAM_IDLE_MS: '100', IDLE_TIMEOUT_MS: '200' });
		await gateway.send({ path: '/api/horses/fast' });
		const answer = await gateway.send({ path: '/api/horses/slow' });
		expect(answer).toMatchObject({ status: 200, complete: false });
		expect(answer.durationMs).toBeLessThan(2_000);
	});
});
