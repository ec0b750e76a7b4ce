import { describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { connectionBench, last, request, respond, responses, statuses } from './connection-bench.ts';

const bench = connectionBench();

const offers: readonly (readonly [string, readonly string[]])[] = [
	['TLS/1.2, which Apache HttpClient offers', ['Connection: Upgrade', 'Upgrade: TLS/1.2']],
	['h2c', ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk']],
	['a list', ['Connection: Upgrade', 'Upgrade: TLS/1.2, h2c, IRC/6.9']],
	['odd case', ['connection: UPGRADE', 'upgrade: tLs/1.3']],
	['several headers', ['Connection: keep-alive', 'Connection: upgrade', 'Upgrade: h2c', 'Upgrade: TLS/1.2']],
	['nothing', ['Connection: Upgrade', 'Upgrade:']],
	['a name that begins like a known one', ['Connection: Upgrade', 'Upgrade: websockets/2']],
];

// Node's parser takes the bytes behind such a request for data of the other protocol.
describe.each(offers)('an offer to upgrade to %s is ignored', (_name, headers) => {
	const get = request('GET /a', ...headers);
	const post = `${request('POST /b', 'Content-Length: 3', ...headers)}two`;
	const chunked = `${request('PUT /c', 'Transfer-Encoding: chunked', ...headers)}5\r\nthree\r\n0\r\n\r\n`;
	const expected = [
		'response to GET /a',
		'response to POST /b',
		'response to PUT /c',
		'response to GET /last',
	];

	test('with and without a body, and requests behind it are served: in one packet', async () => {
		const { seen, send } = bench.open();
		send(get + post + chunked + last);
		await eventually('the connection is closed', () => seen.closed);
		expect(responses(seen.text)).toEqual(expected);
		expect(bench.reached.filter(({ req }) => req.headers.upgrade)).toEqual([]);
		await eventually('bodies are read', () => bench.reached[2]?.body === 'three');
		expect(bench.reached[1]?.body).toBe('two');
		expect(seen.text.match(/Connection: close/g)).toHaveLength(1);
	});

	test('one after the other on a kept-alive connection', async () => {
		const { seen, send } = bench.open();
		for (const [at, bytes] of [get, post, chunked, last].entries()) {
			send(bytes);
			await eventually('it has a response', () => responses(seen.text).length === at + 1);
		}
		await eventually('the connection is closed', () => seen.closed);
		expect(responses(seen.text)).toEqual(expected);
		expect(bench.server.connections()).toBe(0);
	});

	test('byte by byte, the body after the head', async () => {
		const { seen, send } = bench.open();
		for (const byte of get + post + last) {
			send(byte);
			await new Promise(setImmediate);
		}
		await eventually('the connection is closed', () => seen.closed);
		expect(responses(seen.text)).toEqual([
			'response to GET /a',
			'response to POST /b',
			'response to GET /last',
		]);
	});

	test('behind requests whose responses are pending', async () => {
		bench.atOnce = false;
		const { seen, send } = bench.open();
		send(request('GET /x').repeat(2) + post + last);
		for (let at = 0; at < 4; at += 1) {
			await eventually('a request is reached', () => bench.reached.length === at + 1);
			await eventually('it is complete', () => bench.reached[at]?.req.complete === true);
			respond(bench.reached[at]);
		}
		await eventually('the connection is closed', () => seen.closed);
		expect(responses(seen.text)).toHaveLength(4);
		expect(bench.reached[2]?.body).toBe('two');
	});
});

const h2c = ['Connection: Upgrade', 'Upgrade: h2c'];

describe('a connection with an offer to upgrade', () => {
	test('has the limits of any other: a body that is too long for its chunk is refused', async () => {
		const { seen, send } = bench.open();
		bench.atOnce = false;
		send(`${request('POST /a', 'Transfer-Encoding: chunked', ...h2c)}ZZ\r\n`);
		await eventually('the connection is closed', () => seen.closed);
		expect(statuses(seen.text)).toEqual([400]);
	});

	test('whose client resets it does no harm', async () => {
		bench.atOnce = false;
		const { send, reset } = bench.open();
		send(request('GET /a') + request('GET /b', ...h2c));
		await eventually('the first is reached', () => bench.reached.length === 1);
		reset();
		await eventually('the connection is gone', () => bench.server.connections() === 0);
		expect(bench.reached).toHaveLength(1);
	});

	test('accepts 1000 of them one after the other without a leak of listeners', async () => {
		const warnings: Error[] = [];
		const warned = (warning: Error): void => void warnings.push(warning);
		process.on('warning', warned);
		const { seen, send } = bench.open();
		send(request('GET /a', ...h2c).repeat(1_000) + last);
		await eventually('the connection is closed', () => seen.closed);
		expect(responses(seen.text)).toHaveLength(1_001);
		process.off('warning', warned);
		expect(warnings).toEqual([]);
	});

	test('keeps header values that are not ASCII, and the query', async () => {
		const { seen, send } = bench.open();
		send(Buffer.from(request('GET /a?x=%20&y=1', 'X-Text: Zügel', ...h2c), 'latin1'));
		await eventually('it has a response', () => seen.text !== '');
		expect(bench.reached[0]?.req.headers['x-text']).toBe('Zügel');
		expect(bench.reached[0]?.req.url).toBe('/a?x=%20&y=1');
	});
});

test.each(['websocket', 'WebSocket', 'h2c, websocket', 'websocket/13'])(
	'an offer of %s reaches the listener, and the response closes the connection',
	async (protocol) => {
		const { seen, send } = bench.open();
		send(request('GET /a', 'Connection: Upgrade', `Upgrade: ${protocol}`) + last);
		await eventually('the connection is closed', () => seen.closed);
		expect(bench.reached.map(({ req }) => req.headers.upgrade)).toEqual([protocol]);
		expect(responses(seen.text)).toEqual(['response to GET /a']);
	},
);
