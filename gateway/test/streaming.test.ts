import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { startGatewayProcess } from './gateway-process.ts';
import { sendRequest } from './send-request.ts';
import { testBench } from './test-bench.ts';

const bench = testBench();
const mebibyte = 1024 * 1024;

/** Sends so many MiB as fast as they are taken; `sentMiB` says how far it is. */
async function downloadServer(sizeMiB: number) {
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
	test('of 400 MiB passes whole, in memory that does not grow with it', async () => {
		const { url } = await downloadServer(400);
		// A process of its own: in this one, client and instance would be measured as well.
		const gateway = await startGatewayProcess({ CONTEXTS: 'ping', SERVICE_INSTANCES: `ping-service=${url}` });
		bench.closing(async () => void (await gateway.stop()));
		const port = gateway.port ?? 0;
		const memoryMiB = async (): Promise<number> => {
			const { body } = await sendRequest(port, { path: '/actuator/prometheus' });
			return Number(/^process_resident_memory_bytes.*? (\d+)/m.exec(body)?.[1]) / mebibyte;
		};
		const before = await memoryMiB();
		let bytes = 0;
		const outgoing = request({ port, host: '127.0.0.1', path: '/api/ping', agent: false }).end();
		const [answer] = await once(outgoing, 'response');
		for await (const chunk of answer) bytes += chunk.length;
		expect(bytes).toBe(400 * mebibyte);
		// What has been passed on waits for the collector; kept, it would be all of it.
		expect((await memoryMiB()) - before).toBeLessThan(200);
	}, 90_000);

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
		await eventually('the rest has come', () => received > 100 * mebibyte, 60_000);
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
		const requests = (status: string) => gateway.counted('gateway_requests_total', { status });
		await eventually('it is counted', async () => (await requests('499')) === 1, 1_000);
		expect(await gateway.counted('gateway_upstream_failures_total', {})).toBe(0);
	});
});

describe('server-sent events', () => {
	test('pass one by one as they are sent, for longer than an answer may take to begin', async () => {
		const events: ((text: string) => void)[] = [];
		const url = await bench.serve(
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
