import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually, patient } from '@paddock/testing';
import { p99Ms, type SteadyLoad, startSteadyLoad, statusCounts } from '../resilience/timed-load.ts';
import { type System, startSystem } from '../system.ts';

const clientCount = 1_000;

interface SlowClients {
	/** The response received so far by each client. */
	readonly received: readonly string[];
	/** The time from the first byte to the close by the gateway, for each closed connection. */
	readonly openMs: readonly number[];
	/** The number of connections that are not closed on both sides. */
	openCount(): number;
	disconnect(): void;
}

/** Connections that never complete a request: each sends the beginning and then one byte per second. */
function slowClients(port: number, beginning: string): SlowClients {
	const received: string[] = Array.from({ length: clientCount }, () => '');
	const openMs: number[] = [];
	let openCount = clientCount;
	const sockets = received.map((_, index) => {
		// The client never closes its half: the gateway must close the connection.
		const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
		let sentAtMs: number | undefined;
		const ended = (): void => {
			if (sentAtMs !== undefined) openMs.push(performance.now() - sentAtMs);
			sentAtMs = undefined;
		};
		socket.on('data', (chunk: Buffer) => {
			received[index] += chunk.toString('latin1');
		});
		socket.on('error', () => undefined);
		socket.once('connect', () => {
			sentAtMs = performance.now();
			socket.write(beginning);
		});
		socket.once('end', ended);
		socket.once('close', () => {
			ended();
			openCount -= 1;
		});
		return socket;
	});
	const drip = setInterval(() => {
		for (const socket of sockets) if (socket.writable && !socket.connecting) socket.write('x');
	}, 1_000);
	return {
		received,
		openMs,
		openCount: () => openCount,
		disconnect: () => {
			clearInterval(drip);
			for (const socket of sockets) socket.destroy();
		},
	};
}

let system: System;
let clients: SlowClients | undefined;
let loads: SteadyLoad[] = [];
let token: string;

beforeAll(async () => {
	// Other load on the machine must not cause load shedding.
	system = await startSystem({ gateway: { EVENT_LOOP_DELAY_MAX_MS: '60000' } });
	token = await system.signIn();
}, 60_000);

afterEach(async () => {
	clients?.disconnect();
	await Promise.all(loads.map((load) => load.stop()));
});

afterAll(async () => {
	await system?.stop();
});

/** Opens slow clients. All get 408 and are disconnected by the deadline; requests of other clients succeed. */
async function expectClosedWithin(
	deadlineMs: number,
	beginning: string,
	others: readonly string[],
): Promise<void> {
	const { port } = system.gateway;
	const headers = { Authorization: `Bearer ${token}` };
	loads = others.map((path) => startSteadyLoad(20, { port, path, headers }));
	const slow = slowClients(port, beginning);
	clients = slow;
	await eventually('all are disconnected', () => slow.openCount() === 0, deadlineMs + 5_000);
	expect(slow.openMs).toHaveLength(clientCount);
	expect(Math.max(...slow.openMs)).toBeLessThan(patient(deadlineMs));
	expect(slow.received.filter((text) => !/^HTTP\/1\.1 408 /.test(text))).toEqual([]);
	for (const load of loads) {
		const responses = await load.stop();
		expect(statusCounts(responses)).toEqual({ 200: responses.length });
		expect(responses.length).toBeGreaterThan(100);
		expect(p99Ms(responses)).toBeLessThan(patient(3_000));
	}
}

test('a thousand clients with endless headers are disconnected within 12 s; other requests succeed', async () => {
	await expectClosedWithin(12_000, 'GET /api/ping HTTP/1.1\r\nHost: a\r\nX-Slow: ', [
		'/api/ping',
		'/auth/profile',
	]);
}, 60_000);

test('a thousand clients with endless bodies are disconnected within 12 s; other requests succeed, also in the same context', async () => {
	const head = [
		'POST /auth/login HTTP/1.1',
		'Host: a',
		'Content-Type: application/json',
		'Content-Length: 50000',
	];
	await expectClosedWithin(12_000, `${head.join('\r\n')}\r\n\r\n{"email":"`, ['/api/ping', '/auth/profile']);
}, 60_000);
