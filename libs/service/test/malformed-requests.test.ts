import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { eventually, rawRequest } from '@paddock/testing';
import { connectionBench, type Reached, request, respond, statuses } from './connection-bench.ts';

const bench = connectionBench();

describe('garbage behind a request', () => {
	test.each([
		['in the same packet', true],
		['later', false],
	])(
		'that is being carried out: its response goes out first, then 400, then the end (%s)',
		async (_when, together) => {
			bench.atOnce = false;
			const { seen, send } = bench.open();
			const first = `${request('POST /a', 'Content-Length: 3')}one`;
			send(together ? `${first}\x80 garbage\r\n\r\n` : first);
			await eventually('it is reached', () => bench.reached.length === 1);
			if (!together) send('\x80 garbage\r\n\r\n');
			await eventually(
				'the garbage has arrived',
				() => together || (bench.reached[0]?.req.socket.bytesRead ?? 0) > first.length,
			);
			await new Promise(setImmediate);
			expect(seen.text).toBe('');
			respond(bench.reached[0]);
			await eventually('the connection is closed', () => seen.closed);
			expect(statuses(seen.text)).toEqual([200, 400]);
			expect(seen.text).toMatch(/^HTTP\/1\.1 200 .*response to POST \/aHTTP\/1\.1 400 .*MALFORMED_REQUEST/s);
			expect(bench.refused).toEqual([expect.stringMatching(/^HPE_/)]);
		},
	);

	test('and behind others that wait: all of them have their responses in order', async () => {
		bench.atOnce = false;
		const { seen, send } = bench.open();
		send(`${request('GET /a')}${request('GET /b')}nonsense\r\n\r\n`);
		await eventually('the first is reached', () => bench.reached.length === 1);
		respond(bench.reached[0]);
		await eventually('the second is reached', () => bench.reached.length === 2);
		respond(bench.reached[1]);
		await eventually('the connection is closed', () => seen.closed);
		expect(statuses(seen.text)).toEqual([200, 200, 400]);
	});

	test('in the body of a request that waits: it is refused, and never reaches the listener', async () => {
		bench.atOnce = false;
		const { seen, send } = bench.open();
		send(`${request('GET /a')}${request('POST /b', 'Transfer-Encoding: chunked')}ZZ\r\n`);
		await eventually('the first is reached', () => bench.reached.length === 1);
		respond(bench.reached[0]);
		await eventually('the connection is closed', () => seen.closed);
		expect(statuses(seen.text)).toEqual([200, 400]);
		expect(bench.reached).toHaveLength(1);
		// The listener can't log it.
		expect(bench.refused).toEqual([expect.stringMatching(/^HPE_/)]);
	});

	test('in its own body: the response is 400 and nothing else', async () => {
		bench.atOnce = false;
		const { seen, send } = bench.open();
		send(`${request('POST /a', 'Transfer-Encoding: chunked')}ZZ\r\n`);
		await eventually('the connection is closed', () => seen.closed);
		expect(statuses(seen.text)).toEqual([400]);
		// The listener logs it.
		expect(bench.refused).toEqual([]);
	});

	test('with a response that has begun: it ends whole', async () => {
		bench.atOnce = false;
		const { seen, send } = bench.open();
		send(request('GET /a'));
		await eventually('it is reached', () => bench.reached.length === 1);
		const { res } = bench.reached[0] as Reached;
		res.setHeader('Content-Length', 10);
		res.write('first');
		await eventually('it has begun', () => seen.text.includes('first'));
		send('garbage\r\n\r\n');
		await eventually(
			'the garbage has arrived',
			() => (res.socket?.bytesRead ?? 0) > request('GET /a').length,
		);
		res.end('-last');
		await eventually('the connection is closed', () => seen.closed);
		expect(statuses(seen.text)).toEqual([200, 400]);
		expect(seen.text).toContain('first-last');
	});
});

describe('CONNECT', () => {
	const tunnel = request('CONNECT a:1');

	test('alone: 405, then the connection is closed', async () => {
		const { text, closedByPeer } = await rawRequest(bench.port, tunnel);
		expect(statuses(text)).toEqual([405]);
		expect(closedByPeer).toBe(true);
		expect(bench.refused).toEqual(['CONNECT']);
	});

	test.each([
		['one request', 1],
		['several requests', 3],
	])('behind %s: their responses go out first, then 405, then the end', async (_case, count) => {
		bench.atOnce = false;
		const { seen, send } = bench.open();
		send(`${request('POST /a', 'Content-Length: 3')}one`.repeat(count) + tunnel);
		for (let at = 0; at < count; at += 1) {
			await eventually('a request is reached', () => bench.reached.length === at + 1);
			await new Promise(setImmediate);
			expect(statuses(seen.text)).not.toContain(405);
			respond(bench.reached[at]);
		}
		await eventually('the connection is closed', () => seen.closed);
		expect(statuses(seen.text)).toEqual([...Array(count).fill(200), 405]);
		expect(bench.refused).toEqual(['CONNECT']);
	});

	test('behind a request with a large response: all of it goes out first', async () => {
		bench.atOnce = false;
		const { seen, send } = bench.open();
		send(request('GET /a') + tunnel);
		await eventually('the request is reached', () => bench.reached.length === 1);
		const { res } = bench.reached[0] as Reached;
		const chunk = Buffer.alloc(1_000_000, 'x');
		res.setHeader('Content-Length', 20 * chunk.length);
		for (let sent = 0; sent < 20; sent += 1) {
			const hasRoom = res.write(chunk);
			if (!hasRoom) await once(res, 'drain');
		}
		res.end();
		await eventually('the connection is closed', () => seen.closed, 10_000);
		expect(statuses(seen.text)).toEqual([200, 405]);
		expect(seen.text.length).toBeGreaterThan(20 * chunk.length);
	}, 20_000);
});
