import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { eventually, rawRequest } from '@paddock/testing';
import { testBench } from './test-bench.ts';

const bench = testBench();
const mebibyte = 1024 * 1024;

/** An HTTP server of a test's own, for what must be seen while it happens. */
async function serve(server: Server): Promise<string> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	bench.closing(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends so many MiB as fast as they are taken; `sentMiB` says how far it is. */
async function downloadServer(sizeMiB: number) {
	const block = Buffer.alloc(mebibyte, 'x');
	const progress = { sentMiB: 0, closedEarly: false };
	const url = await serve(
		createServer((req, res) => {
			if (req.url === '/health') return void res.end('{}');
			res.once('close', () => {
				progress.closedEarly = !res.writableFinished;
			});
			res.writeHead(200, { 'Content-Length': sizeMiB * mebibyte });
			const send = (): void => {
				while (progress.sentMiB < sizeMiB) {
					progress.sentMiB += 1;
					if (!res.write(block)) return;
				}
				res.end();
			};
			res.on('drain', send);
			send();
		}),
	);
	return { url, progress };
}

/** A client that reads only when it is told to. */
async function slowClient(port: number, path: string, token: string): Promise<Socket> {
	const socket = connect({ port, host: '127.0.0.1' });
	bench.closing(() => void socket.destroy());
	await once(socket, 'connect');
	socket.pause();
	socket.write(`GET ${path} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${token}\r\n\r\n`);
	return socket;
}

describe('a download', () => {
	test('of 200 MiB passes whole, in memory that does not grow with it', async () => {
		const { url } = await downloadServer(200);
		const gateway = await bench.gateway([url]);
		const before = process.memoryUsage.rss();
		let highest = before;
		let bytes = 0;
		const outgoing = request({
			port: gateway.port,
			host: '127.0.0.1',
			path: '/api/horses',
			headers: { Authorization: `Bearer ${gateway.identity.sign()}` },
			agent: false,
		}).end();
		const [answer] = await once(outgoing, 'response');
		for await (const chunk of answer) {
			bytes += chunk.length;
			highest = Math.max(highest, process.memoryUsage.rss());
		}
		expect(bytes).toBe(200 * mebibyte);
		// Client and instance are in this process, too, and what they have done with waits for the collector.
		expect((highest - before) / mebibyte).toBeLessThan(150);
	});

	test('goes no faster than its client reads', async () => {
		const { url, progress } = await downloadServer(100);
		const gateway = await bench.gateway([url]);
		const socket = await slowClient(gateway.port, '/api/horses', gateway.identity.sign());
		let sentMiB = 0;
		await eventually('the sockets between are full', async () => {
			const before = progress.sentMiB;
			await wait(150);
			sentMiB = progress.sentMiB;
			return sentMiB > 0 && sentMiB === before;
		});
		expect(sentMiB).toBeLessThan(40);
		expect(socket.bytesRead).toBeLessThan(mebibyte);
		let received = 0;
		socket.on('data', (chunk) => {
			received += chunk.length;
		});
		socket.resume();
		await eventually('the rest has come', () => received > 100 * mebibyte);
	});

	test('whose client leaves is broken off at the instance', async () => {
		const { url, progress } = await downloadServer(100);
		const gateway = await bench.gateway([url]);
		const socket = await slowClient(gateway.port, '/api/horses', gateway.identity.sign());
		await eventually('it has begun', () => progress.sentMiB > 2);
		expect(gateway.inFlight()).toBe(1);
		socket.destroy();
		await eventually('the instance has noticed', () => progress.closedEarly, 1_000);
		await eventually('nothing is in flight', () => gateway.inFlight() === 0, 1_000);
		const count = (failure: string) => gateway.counted('gateway_upstream_failures_total', { failure });
		await eventually('it is counted', async () => (await count('clientAborted')) === 1, 1_000);
		expect(await count('cutOff')).toBe(0);
	});
});

describe('an upload', () => {
	test('of 30 MiB passes whole and as it comes', async () => {
		let received = 0;
		const url = await serve(
			createServer((req, res) => {
				req.on('data', (chunk) => {
					received += chunk.length;
				});
				req.on('end', () => res.end(String(received)));
			}),
		);
		const gateway = await bench.gateway([url], { BODY_BYTES_MAX: String(64 * mebibyte) });
		const outgoing = request({
			port: gateway.port,
			host: '127.0.0.1',
			method: 'POST',
			path: '/api/horses',
			headers: { Authorization: `Bearer ${gateway.identity.sign()}` },
			agent: false,
		});
		outgoing.write(Buffer.alloc(mebibyte));
		await eventually('the first part is there before the rest is sent', () => received === mebibyte);
		for (let sentMiB = 1; sentMiB < 30; sentMiB += 1) outgoing.write(Buffer.alloc(mebibyte));
		outgoing.end();
		const [answer] = await once(outgoing, 'response');
		const chunks: Buffer[] = [];
		for await (const chunk of answer) chunks.push(chunk);
		expect(Buffer.concat(chunks).toString()).toBe(String(30 * mebibyte));
	});

	test('that takes longer than an answer may is not cut', async () => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url], { RESPONSE_TIMEOUT_MS: '150' });
		const outgoing = request({
			port: gateway.port,
			host: '127.0.0.1',
			method: 'POST',
			path: '/api/horses',
			headers: { Authorization: `Bearer ${gateway.identity.sign()}` },
			agent: false,
		});
		outgoing.write('{');
		await wait(400);
		outgoing.end('}');
		const [answer] = await once(outgoing, 'response');
		answer.resume();
		expect(answer.statusCode).toBe(200);
	});

	test('whose client leaves in the middle is broken off at the instance, never ended there', async () => {
		const seen = { ended: false, aborted: false, bytes: 0 };
		const url = await serve(
			createServer((req) => {
				req.on('data', (chunk) => {
					seen.bytes += chunk.length;
				});
				req.on('end', () => {
					seen.ended = true;
				});
				req.on('error', () => {
					seen.aborted = true;
				});
			}),
		);
		const gateway = await bench.gateway([url]);
		const socket = connect({ port: gateway.port, host: '127.0.0.1' });
		socket.write(
			`POST /api/horses HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${gateway.identity.sign()}\r\n` +
				'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
		);
		await eventually('the first part is there', () => seen.bytes === 5);
		socket.destroy();
		await eventually('the instance has noticed', () => seen.aborted, 1_000);
		expect(seen.ended).toBe(false);
	});

	test('that grows too large is broken off at the instance, even where that has answered already', async () => {
		const seen = { ended: false, aborted: false };
		const url = await serve(
			createServer((req, res) => {
				res.writeHead(200);
				res.write('so far so good');
				req.resume();
				req.on('end', () => {
					seen.ended = true;
				});
				req.on('error', () => {
					seen.aborted = true;
				});
			}),
		);
		const gateway = await bench.gateway([url], { BODY_BYTES_MAX: '1024' });
		const socket = connect({ port: gateway.port, host: '127.0.0.1' });
		bench.closing(() => void socket.destroy());
		let received = '';
		let ended = false;
		socket.on('data', (chunk) => {
			received += chunk.toString();
		});
		socket.on('close', () => {
			ended = true;
		});
		socket.on('error', () => undefined);
		const chunk = `400\r\n${'x'.repeat(1024)}\r\n`;
		socket.write(
			`POST /api/horses HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${gateway.identity.sign()}\r\n` +
				`Transfer-Encoding: chunked\r\n\r\n${chunk}`,
		);
		await eventually('the answer has begun', () => received.includes('so far so good'));
		socket.write(`${chunk}0\r\n\r\n`);
		await eventually('the instance has noticed', () => seen.aborted, 2_000);
		expect(seen.ended).toBe(false);
		await eventually('the client has noticed', () => ended, 2_000);
		expect(received).not.toContain('\r\n0\r\n\r\n');
	});

	test('that is refused before its end gets the refusal', async () => {
		const url = await serve(
			createServer((req, res) => {
				// As our own services do it: closing while the body still comes would reset the answer away.
				res.writeHead(403, { 'Content-Type': 'application/json', 'Content-Length': 17 });
				res.write('{"success":false}');
				req.resume().on('end', () => res.end());
			}),
		);
		const gateway = await bench.gateway([url], { BODY_BYTES_MAX: String(64 * mebibyte) });
		const sent = Array.from({ length: 64 }, () => 'x'.repeat(16_384));
		const answer = await gateway.send({ method: 'POST', path: '/api/horses', body: sent });
		expect(answer).toMatchObject({ status: 403, body: '{"success":false}', complete: true });
	});
});

describe('server-sent events', () => {
	test('pass one by one as they are sent, for longer than an answer may take to begin', async () => {
		const events: ((text: string) => void)[] = [];
		const url = await serve(
			createServer((req, res) => {
				if (req.url === '/health') return void res.end('{}');
				res.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
				events.push((text) => void res.write(`data: ${text}\n\n`));
			}),
		);
		const gateway = await bench.gateway([url], { RESPONSE_TIMEOUT_MS: '100', DEADLINE_MS: '100' });
		const outgoing = request({
			port: gateway.port,
			host: '127.0.0.1',
			path: '/api/horses/stream',
			headers: { Authorization: `Bearer ${gateway.identity.sign()}` },
			agent: false,
		}).end();
		// The head must not wait for the first event.
		const [answer] = await once(outgoing, 'response');
		expect(answer.headers['content-type']).toBe('text/event-stream');
		let received = '';
		answer.on('data', (chunk: Buffer) => {
			received += chunk.toString();
		});
		answer.on('error', () => undefined);
		for (const text of ['one', 'two', 'three']) {
			events[0]?.(text);
			await eventually(`event ${text} is here`, () => received.endsWith(`data: ${text}\n\n`), 1_000);
			await wait(60);
		}
		outgoing.destroy();
	});
});

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
