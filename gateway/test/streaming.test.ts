import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { testBench } from './test-bench.ts';

const bench = testBench();
const mebibyte = 1024 * 1024;

const sizeMiB = 100;

/** Sends `sizeMiB` as fast as the client reads; `sentMiB` is the progress. */
async function downloadServer() {
	const block = Buffer.alloc(mebibyte, 'x');
	const progress = { sentMiB: 0, closedEarly: false };
	const url = await bench.serve(
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

/** A client whose reads the test controls. */
async function slowClient(port: number, path: string, token: string): Promise<Socket> {
	const socket = connect({ port, host: '127.0.0.1' });
	bench.closing(() => void socket.destroy());
	await once(socket, 'connect');
	socket.pause();
	socket.write(`GET ${path} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${token}\r\n\r\n`);
	return socket;
}

describe('a download', () => {
	test('is not sent faster than the client reads', async () => {
		const { url, progress } = await downloadServer();
		const gateway = await bench.gateway([url]);
		const socket = await slowClient(gateway.port, '/api/horses', gateway.identity.sign());
		let sentMiB = 0;
		await eventually('the socket buffers are full', async () => {
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
		await eventually('the remainder has arrived', () => received > sizeMiB * mebibyte, 60_000);
	});

	test('whose client disconnects is aborted at the instance', async () => {
		const { url, progress } = await downloadServer();
		const gateway = await bench.gateway([url]);
		const socket = await slowClient(gateway.port, '/api/horses', gateway.identity.sign());
		await eventually('the download has begun', () => progress.sentMiB > 2);
		expect(gateway.inFlight()).toBe(1);
		socket.resetAndDestroy();
		await eventually('the instance has noticed', () => progress.closedEarly, 1_000);
		await eventually('nothing is in flight', () => gateway.inFlight() === 0, 1_000);
		const requests = (status: string) => gateway.counted('gateway_requests_total', { status });
		await eventually('the request is counted', async () => (await requests('499')) === 1, 1_000);
		expect(await gateway.counted('gateway_upstream_failures_total', {})).toBe(0);
	});
});

describe('server-sent events', () => {
	test('are forwarded as they are sent, for longer than RESPONSE_TIMEOUT_MS', async () => {
		const events: ((text: string) => void)[] = [];
		const url = await bench.serve(
			createServer((req, res) => {
				if (req.url === '/health') return void res.end('{}');
				res.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
				events.push((text) => void res.write(`data: ${text}\n\n`));
			}),
		);
		const gateway = await bench.gateway([url], { RESPONSE_TIMEOUT_MS: '1000', DEADLINE_MS: '1000' });
		const outgoing = request({
			port: gateway.port,
			host: '127.0.0.1',
			path: '/api/horses/stream',
			headers: { Authorization: `Bearer ${gateway.identity.sign()}` },
			agent: false,
		}).end();
		// The head must be forwarded before the first event.
		const [response] = await once(outgoing, 'response');
		expect(response.headers['content-type']).toBe('text/event-stream');
		let received = '';
		response.on('data', (chunk: Buffer) => {
			received += chunk.toString();
		});
		response.on('error', () => undefined);
		for (const text of ['one', 'two', 'three']) {
			events[0]?.(text);
			await eventually(`event ${text} arrives`, () => received.endsWith(`data: ${text}\n\n`), 1_000);
			await wait(500);
		}
		outgoing.socket?.resetAndDestroy();
	});
});
