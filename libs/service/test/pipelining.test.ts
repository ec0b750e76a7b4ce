import { describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { connectionBench, last, request, respond, responses } from './connection-bench.ts';

const bench = connectionBench();

describe('pipelined requests', () => {
	test('reach the listener one after the other, whatever their methods, with their bodies', async () => {
		bench.atOnce = false;
		const { seen, send } = bench.open();
		send(`${request('POST /a', 'Content-Length: 3')}one`);
		send(`${request('POST /b', 'Content-Length: 3')}two${request('GET /c')}${request('DELETE /d')}`);
		for (const [at, url] of ['/a', '/b', '/c', '/d'].entries()) {
			await eventually(`${url} is reached`, () => bench.reached.length === at + 1);
			await eventually('it is complete', () => bench.reached[at]?.req.complete === true);
			// Bytes of all of them have arrived, yet no further one is begun.
			await new Promise(setImmediate);
			expect(bench.reached.map(({ req }) => req.url).at(-1)).toBe(url);
			expect(bench.reached).toHaveLength(at + 1);
			respond(bench.reached[at]);
		}
		await eventually('all have their response', () => responses(seen.text).length === 4);
		expect(responses(seen.text)).toEqual([
			'response to POST /a',
			'response to POST /b',
			'response to GET /c',
			'response to DELETE /d',
		]);
		expect(bench.reached.map(({ body }) => body)).toEqual(['one', 'two', '', '']);
	});

	test('behind the first one, up to 100 are queued, and all get a response', async () => {
		bench.atOnce = false;
		const { seen, send } = bench.open();
		send(request('GET /a').repeat(100) + last);
		await eventually('the first is reached', () => bench.reached.length === 1);
		bench.atOnce = true;
		respond(bench.reached[0]);
		await eventually('the connection is closed', () => seen.closed);
		expect(bench.reached).toHaveLength(101);
		expect(responses(seen.text)).toHaveLength(101);
	});

	test('that arrive one by one have no limit', async () => {
		const { seen, send } = bench.open();
		for (let round = 1; round <= 5; round += 1) {
			send(request('GET /a').repeat(50));
			await eventually('all have a response', () => responses(seen.text).length === 50 * round);
		}
		expect(seen.closed).toBe(false);
	});

	test('are not read while two of them wait, even if the body of the first is read', async () => {
		bench.atOnce = false;
		const { seen, send } = bench.open();
		send(request('POST /a', 'Content-Length: 3'));
		await eventually('the first is reached', () => bench.reached.length === 1);
		send(`one${request('GET /b').repeat(2)}`);
		await eventually('the first is complete', () => bench.reached[0]?.body === 'one');
		// One read takes 64 of these at most.
		const large = request('GET /c', `X-Padding: ${'x'.repeat(1_024)}`);
		send(large.repeat(300));
		for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
		expect(bench.reached[0]?.req.socket.bytesRead).toBeLessThan(100 * large.length);
		bench.atOnce = true;
		respond(bench.reached[0]);
		await eventually('all have a response', () => responses(seen.text).length === 303);
		expect(seen.closed).toBe(false);
	});

	test('of which more than 100 would wait end the connection: none of them is carried out', async () => {
		bench.atOnce = false;
		const { seen, send } = bench.open();
		send(Buffer.from(request('GET /a').repeat(20_000)));
		await eventually('the connection is closed', () => seen.closed);
		expect(bench.reached).toHaveLength(1);
		expect(bench.reached[0]?.res.closed).toBe(true);
		expect(seen.text).toBe('');
	});

	test('behind a response that closes the connection are not processed', async () => {
		bench.atOnce = false;
		const { seen, send } = bench.open();
		send(request('GET /a') + request('POST /b', 'Content-Length: 0'));
		await eventually('the first is reached', () => bench.reached.length === 1);
		bench.reached[0]?.res.setHeader('Connection', 'close');
		respond(bench.reached[0]);
		send(request('POST /c', 'Content-Length: 0'));
		await eventually('the connection is closed', () => seen.closed);
		expect(bench.reached).toHaveLength(1);
		expect(responses(seen.text)).toEqual(['response to GET /a']);
	});

	test('whose client leaves are not begun', async () => {
		bench.atOnce = false;
		const { send, reset } = bench.open();
		send(request('GET /a') + request('POST /b', 'Content-Length: 0'));
		await eventually('the first is reached', () => bench.reached.length === 1);
		reset();
		await eventually('the first has lost its client', () => bench.reached[0]?.res.closed === true);
		await new Promise(setImmediate);
		expect(bench.reached).toHaveLength(1);
	});
});
