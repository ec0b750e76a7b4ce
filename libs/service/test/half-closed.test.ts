import { describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { connectionBench, type Reached, request, respond, responses, statuses } from './connection-bench.ts';

const bench = connectionBench();
const post = `${request('POST /a', 'Content-Length: 3')}one`;

// The server used to end its side at the client's FIN: the request was carried out, and its response was dropped.
describe('a client that ends its side after the request gets the response, then the connection is closed', () => {
	test.each([
		['GET', request('GET /a')],
		['POST with a length', post],
		['POST in chunks', `${request('POST /a', 'Transfer-Encoding: chunked')}3\r\none\r\n0\r\n\r\n`],
		['an offer to upgrade', request('GET /a', 'Connection: Upgrade', 'Upgrade: h2c')],
		['HTTP/1.0', 'GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
	])('%s', async (_name, bytes) => {
		for (const atOnce of [true, false]) {
			bench.atOnce = atOnce;
			const reachedBefore = bench.reached.length;
			const { seen, end } = bench.open();
			end(bytes);
			await eventually('it is reached', () => bench.reached.length === reachedBefore + 1);
			const pending = bench.reached.at(-1);
			if (!atOnce) {
				await eventually('its end has arrived', () => pending?.req.socket.readableEnded === true);
				expect(pending?.res.closed).toBe(false);
				respond(pending);
			}
			await eventually('the connection is closed', () => seen.closed);
			expect(responses(seen.text)).toHaveLength(1);
		}
		await eventually('no connection is left', () => bench.server.connections() === 0);
	});

	test('several pipelined requests: all of them, in order', async () => {
		bench.atOnce = false;
		const { seen, end } = bench.open();
		end(request('GET /a') + post + request('GET /c'));
		for (let at = 0; at < 3; at += 1) {
			await eventually('a request is reached', () => bench.reached.length === at + 1);
			respond(bench.reached[at]);
		}
		await eventually('the connection is closed', () => seen.closed);
		expect(responses(seen.text)).toEqual(['response to GET /a', 'response to POST /a', 'response to GET /c']);
	});

	test('a large response that has begun', async () => {
		bench.atOnce = false;
		const { seen, send, end } = bench.open();
		send(request('GET /a'));
		await eventually('it is reached', () => bench.reached.length === 1);
		const { res, req } = bench.reached[0] as Reached;
		res.write('x');
		await eventually('it has begun', () => seen.text !== '');
		end();
		await eventually('its end has arrived', () => req.socket.readableEnded);
		res.end('x'.repeat(5_000_000));
		await eventually('the connection is closed', () => seen.closed);
		expect(seen.text.length).toBeGreaterThan(5_000_000);
		expect(seen.text.endsWith('\r\n0\r\n\r\n')).toBe(true);
	});
});

describe('the end of the client’s side', () => {
	test.each([
		['without a request', ''],
		['between requests', request('GET /a')],
	])('%s closes the connection at once', async (_name, bytes) => {
		const { seen, send, end } = bench.open();
		if (bytes !== '') {
			send(bytes);
			await eventually('it has a response', () => responses(seen.text).length === 1);
		}
		await eventually('it is accepted', () => bench.server.connections() === 1);
		end();
		await eventually('it is closed', () => seen.closed && bench.server.connections() === 0, 2_000);
	});

	test.each([
		['the head', 'POST /a HTTP/1.1\r\nHo'],
		['the body', `${request('POST /a', 'Content-Length: 5')}one`],
	])('within %s is a refused request', async (_name, bytes) => {
		bench.atOnce = false;
		const { seen, end } = bench.open();
		end(bytes);
		await eventually('the connection is closed', () => seen.closed);
		expect(statuses(seen.text)).toEqual([400]);
		await eventually('no connection is left', () => bench.server.connections() === 0);
	});
});

describe('a client that leaves', () => {
	test('with a reset is noticed at once', async () => {
		bench.atOnce = false;
		const { send, reset } = bench.open();
		send(post);
		await eventually('it is reached', () => bench.reached.length === 1);
		reset();
		await eventually('its response is closed', () => bench.reached[0]?.res.closed === true);
	});

	test('with an end is noticed when something is written', async () => {
		bench.atOnce = false;
		const { send, leave } = bench.open();
		send(post);
		await eventually('it is reached', () => bench.reached.length === 1);
		const { res, req } = bench.reached[0] as Reached;
		res.write('event: a\n\n');
		leave();
		await eventually('its end has arrived', () => req.socket.readableEnded);
		expect(res.closed).toBe(false);
		res.write('event: b\n\n');
		await eventually('its response is closed', () => res.closed);
		expect(res.writableFinished).toBe(false);
		await eventually('no connection is left', () => bench.server.connections() === 0);
	});
});
