import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, rawRequest } from '@paddock/testing';
import { type HttpServer, listen } from '../src/http-server.ts';
import { runToyService } from './toy-service.ts';

const request = (line: string, ...headers: string[]) =>
	[`${line} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n');
const last = request('GET /last', 'Connection: close');

interface Pending {
	readonly req: IncomingMessage;
	readonly res: ServerResponse;
	body: string;
}

let server: HttpServer;
/** Requests that reached the listener, in order; each has its response when `respond` is called. */
let reached: Pending[];
let refused: string[];
let atOnce: boolean;

beforeEach(async () => {
	reached = [];
	refused = [];
	atOnce = true;
	server = await listen({
		listener: (req, res) => {
			const pending: Pending = { req, res, body: '' };
			reached.push(pending);
			req.on('data', (chunk) => {
				pending.body += String(chunk);
			});
			if (atOnce) respond(pending);
		},
		host: '127.0.0.1',
		port: 0,
		keepAliveTimeoutMs: 5_000,
		headersTimeoutMs: 10_000,
		requestTimeoutMs: 10_000,
		headerBytesMax: 32_768,
		now: () => new Date(),
		onRefused: ({ cause }) => refused.push(cause),
	});
});
afterEach(() => server.close(0));

function respond({ req, res }: Pending): void {
	res.end(`response to ${req.method} ${req.url}`);
}

/** The connection as a client sees it. */
function open() {
	const socket = connect(server.port, '127.0.0.1');
	const seen = { text: '', closed: false };
	socket.on('data', (chunk) => {
		seen.text += chunk.toString('latin1');
	});
	socket.on('error', () => undefined);
	socket.on('close', () => {
		seen.closed = true;
	});
	return { seen, send: (text: string | Buffer) => socket.write(text) };
}

const statuses = (text: string) =>
	[...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
const responses = (text: string) => text.match(/response to [A-Z]+ \/[a-z]*/g) ?? [];

describe('pipelined requests', () => {
	test('reach the listener one after the other, whatever their methods, with their bodies', async () => {
		atOnce = false;
		const { seen, send } = open();
		send(`${request('POST /a', 'Content-Length: 3')}one`);
		send(`${request('POST /b', 'Content-Length: 3')}two${request('GET /c')}${request('DELETE /d')}`);
		for (const [at, url] of ['/a', '/b', '/c', '/d'].entries()) {
			await eventually(`${url} is reached`, () => reached.length === at + 1);
			await eventually('it is complete', () => reached[at]?.req.complete === true);
			// Bytes of all of them have arrived, yet no further one is begun.
			await new Promise(setImmediate);
			expect(reached.map(({ req }) => req.url).at(-1)).toBe(url);
			expect(reached).toHaveLength(at + 1);
			respond(reached[at] as Pending);
		}
		await eventually('all have their response', () => responses(seen.text).length === 4);
		expect(responses(seen.text)).toEqual([
			'response to POST /a',
			'response to POST /b',
			'response to GET /c',
			'response to DELETE /d',
		]);
		expect(reached.map(({ body }) => body)).toEqual(['one', 'two', '', '']);
	});

	test('behind the first one, up to 100 wait for their turn, and all have a response', async () => {
		atOnce = false;
		const { seen, send } = open();
		send(request('GET /a').repeat(100) + last);
		await eventually('the first is reached', () => reached.length === 1);
		atOnce = true;
		respond(reached[0] as Pending);
		await eventually('the connection is closed', () => seen.closed);
		expect(reached).toHaveLength(101);
		expect(responses(seen.text)).toHaveLength(101);
	});

	test('that come as their turn comes have no limit', async () => {
		const { seen, send } = open();
		for (let round = 1; round <= 5; round += 1) {
			send(request('GET /a').repeat(50));
			await eventually('all have a response', () => responses(seen.text).length === 50 * round);
		}
		expect(seen.closed).toBe(false);
	});

	test('of which more than 100 would wait end the connection: none of them is carried out', async () => {
		atOnce = false;
		const { seen, send } = open();
		send(Buffer.from(request('GET /a').repeat(20_000)));
		await eventually('the connection is closed', () => seen.closed);
		expect(reached).toHaveLength(1);
		expect(reached[0]?.res.closed).toBe(true);
		expect(seen.text).toBe('');
	});

	test('behind a response that closes the connection are not processed', async () => {
		atOnce = false;
		const { seen, send } = open();
		send(request('GET /a') + request('POST /b', 'Content-Length: 0'));
		await eventually('the first is reached', () => reached.length === 1);
		reached[0]?.res.setHeader('Connection', 'close');
		respond(reached[0] as Pending);
		send(request('POST /c', 'Content-Length: 0'));
		await eventually('the connection is closed', () => seen.closed);
		expect(reached).toHaveLength(1);
		expect(responses(seen.text)).toEqual(['response to GET /a']);
	});

	test('whose client leaves are not begun', async () => {
		atOnce = false;
		const socket = connect(server.port, '127.0.0.1');
		socket.write(request('GET /a') + request('POST /b', 'Content-Length: 0'));
		await eventually('the first is reached', () => reached.length === 1);
		socket.destroy();
		await eventually('the first has lost its client', () => reached[0]?.res.closed === true);
		await new Promise(setImmediate);
		expect(reached).toHaveLength(1);
	});
});

describe('garbage behind a request', () => {
	test.each([
		['in the same packet', true],
		['later', false],
	])(
		'that is being carried out: its response goes out first, then 400, then the end (%s)',
		async (_when, together) => {
			atOnce = false;
			const { seen, send } = open();
			const first = `${request('POST /a', 'Content-Length: 3')}one`;
			send(together ? `${first}\x80 garbage\r\n\r\n` : first);
			await eventually('it is reached', () => reached.length === 1);
			if (!together) send('\x80 garbage\r\n\r\n');
			await eventually(
				'the garbage has arrived',
				() => together || (reached[0]?.req.socket.bytesRead ?? 0) > first.length,
			);
			await new Promise(setImmediate);
			expect(seen.text).toBe('');
			respond(reached[0] as Pending);
			await eventually('the connection is closed', () => seen.closed);
			expect(statuses(seen.text)).toEqual([200, 400]);
			expect(seen.text).toMatch(/^HTTP\/1\.1 200 .*response to POST \/aHTTP\/1\.1 400 .*MALFORMED_REQUEST/s);
			expect(refused).toEqual([expect.stringMatching(/^HPE_/)]);
		},
	);

	test('and behind others that wait: all of them have their responses in order', async () => {
		atOnce = false;
		const { seen, send } = open();
		send(`${request('GET /a')}${request('GET /b')}nonsense\r\n\r\n`);
		await eventually('the first is reached', () => reached.length === 1);
		respond(reached[0] as Pending);
		await eventually('the second is reached', () => reached.length === 2);
		respond(reached[1] as Pending);
		await eventually('the connection is closed', () => seen.closed);
		expect(statuses(seen.text)).toEqual([200, 200, 400]);
	});

	test('in the body of a request that waits: it is refused, and never reaches the listener', async () => {
		atOnce = false;
		const { seen, send } = open();
		send(`${request('GET /a')}${request('POST /b', 'Transfer-Encoding: chunked')}ZZ\r\n`);
		await eventually('the first is reached', () => reached.length === 1);
		respond(reached[0] as Pending);
		await eventually('the connection is closed', () => seen.closed);
		expect(statuses(seen.text)).toEqual([200, 400]);
		expect(reached).toHaveLength(1);
		// The listener can't log it.
		expect(refused).toEqual([expect.stringMatching(/^HPE_/)]);
	});

	test('in its own body: it is told 400 and nothing else', async () => {
		atOnce = false;
		const { seen, send } = open();
		send(`${request('POST /a', 'Transfer-Encoding: chunked')}ZZ\r\n`);
		await eventually('the connection is closed', () => seen.closed);
		expect(statuses(seen.text)).toEqual([400]);
		// The listener logs it.
		expect(refused).toEqual([]);
	});

	test('with a response that has begun: it ends whole', async () => {
		atOnce = false;
		const { seen, send } = open();
		send(request('GET /a'));
		await eventually('it is reached', () => reached.length === 1);
		const { res } = reached[0] as Pending;
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

	test('alone: 405, then the end', async () => {
		const { text, closedByPeer } = await rawRequest(server.port, tunnel);
		expect(statuses(text)).toEqual([405]);
		expect(closedByPeer).toBe(true);
		expect(refused).toEqual(['CONNECT']);
	});

	test.each([
		['one request', 1],
		['several requests', 3],
	])('behind %s: their responses go out first, then 405, then the end', async (_case, count) => {
		atOnce = false;
		const { seen, send } = open();
		send(`${request('POST /a', 'Content-Length: 3')}one`.repeat(count) + tunnel);
		for (let at = 0; at < count; at += 1) {
			await eventually('a request is reached', () => reached.length === at + 1);
			await new Promise(setImmediate);
			expect(statuses(seen.text)).not.toContain(405);
			respond(reached[at] as Pending);
		}
		await eventually('the connection is closed', () => seen.closed);
		expect(statuses(seen.text)).toEqual([...Array(count).fill(200), 405]);
		expect(refused).toEqual(['CONNECT']);
	});

	test('behind a request with a large response: all of it goes out first', async () => {
		atOnce = false;
		const { seen, send } = open();
		send(request('GET /a') + tunnel);
		await eventually('the request is reached', () => reached.length === 1);
		const { res } = reached[0] as Pending;
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

describe('an offer to upgrade to h2c', () => {
	const offer = request(
		'GET /a',
		'Connection: Upgrade, HTTP2-Settings',
		'Upgrade: h2c',
		'HTTP2-Settings: AAMAAABk',
	);

	test.each([
		['in the same packet', offer + last],
		['alone', offer],
	])(
		'is ignored, and the response closes the connection instead of leaving a request behind it pending: %s',
		async (_case, bytes) => {
			const { text, closedByPeer } = await rawRequest(server.port, bytes);
			expect(responses(text)).toEqual(['response to GET /a']);
			expect(text).toContain('\r\nConnection: close\r\n');
			expect(closedByPeer).toBe(true);
			expect(reached).toHaveLength(1);
		},
	);
});

describe('at a service, a transfer coding other than chunked', () => {
	const smuggled = `${request('POST /act', 'Content-Type: application/json', 'Content-Length: 2')}{}`;
	const chunked = '2\r\n{}\r\n0\r\n\r\n';

	test.each<[string, string[]]>([
		['another one before it', ['Transfer-Encoding: x', 'Transfer-Encoding: chunked']],
		['another one behind it', ['Transfer-Encoding: chunked', 'Transfer-Encoding: x']],
		['a list', ['Transfer-Encoding: x, chunked']],
		['a list that ends otherwise', ['Transfer-Encoding: chunked, x']],
		['twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
		['twice in a list', ['Transfer-Encoding: chunked, chunked']],
		['with an empty element', ['Transfer-Encoding: , chunked']],
		['alone', ['Transfer-Encoding: x']],
		['identity', ['Transfer-Encoding: identity']],
		['quoted', ['Transfer-Encoding: "chunked"']],
		['with a parameter', ['Transfer-Encoding: chunked;q=1']],
		['empty', ['Transfer-Encoding:']],
		['folded', ['Transfer-Encoding:', ' chunked']],
		['folded behind another', ['Transfer-Encoding: x,', '\tchunked']],
		['a vertical tab', ['Transfer-Encoding: \vchunked']],
		['a blank before the colon', ['Transfer-Encoding : chunked']],
		['with a length', ['Transfer-Encoding: chunked', 'Content-Length: 12']],
		['in capitals, with another one', ['TRANSFER-ENCODING: X', 'Transfer-encoding: CHUNKED']],
	])('%s: 400, the connection is closed, and nothing behind it is carried out', async (_name, headers) => {
		const toys = await runToyService();
		try {
			let acted = 0;
			toys.act = () => {
				acted += 1;
				return { fine: true };
			};
			const bytes = request('POST /act', 'Content-Type: application/json', ...headers) + chunked;
			const answer = await rawRequest(toys.port, bytes + smuggled + smuggled);
			expect(statuses(answer.text)).toEqual([400]);
			expect(answer.text).toContain('MALFORMED_REQUEST');
			expect(answer.closedByPeer).toBe(true);
			expect(acted).toBe(0);
		} finally {
			await toys.close();
		}
	});

	test.each(['chunked', 'Chunked', 'CHUNKED', ' chunked '])('but %j is the known one', async (coding) => {
		const toys = await runToyService();
		const bytes =
			request('POST /echo', 'Content-Type: application/json', `Transfer-Encoding:${coding}`) + chunked;
		try {
			const answer = await rawRequest(toys.port, bytes + last);
			expect(statuses(answer.text)).toEqual([200, 404]);
		} finally {
			await toys.close();
		}
	});
});
