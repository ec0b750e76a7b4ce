import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually, type System, startSystem } from '@paddock/testing';
import { p99Ms, type SteadyLoad, startSteadyLoad, statusCounts } from '../resilience/timed-load.ts';

const clientCount = 1_000;

interface SlowClients {
	/** What each has been told so far. */
	readonly told: readonly string[];
	/** For each that the gateway has closed, how long after its first byte. */
	readonly openMs: readonly number[];
	/** How many connections are not gone yet on either side. */
	held(): number;
	leave(): void;
}

/** Connections that never end their request: each sends the beginning and then a byte every so often, for ever. */
function slowClients(port: number, beginning: string): SlowClients {
	const told: string[] = Array.from({ length: clientCount }, () => '');
	const openMs: number[] = [];
	let held = clientCount;
	const sockets = told.map((_, index) => {
		// It holds on to its own half: that the gateway closes must be enough.
		const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
		let sentAtMs: number | undefined;
		const ended = (): void => {
			if (sentAtMs !== undefined) openMs.push(performance.now() - sentAtMs);
			sentAtMs = undefined;
		};
		socket.on('data', (chunk: Buffer) => {
			told[index] += chunk.toString('latin1');
		});
		socket.on('error', () => undefined);
		socket.once('connect', () => {
			sentAtMs = performance.now();
			socket.write(beginning);
		});
		socket.once('end', ended);
		socket.once('close', () => {
			ended();
			held -= 1;
		});
		return socket;
	});
	const drip = setInterval(() => {
		for (const socket of sockets) if (socket.writable && !socket.connecting) socket.write('x');
	}, 1_000);
	return {
		told,
		openMs,
		held: () => held,
		leave: () => {
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
	// What the machine has to do besides must not make it refuse work; that is tested where it is asked for.
	system = await startSystem({ gateway: { EVENT_LOOP_DELAY_MAX_MS: '60000' } });
	token = await system.signIn();
}, 60_000);

afterEach(async () => {
	clients?.leave();
	await Promise.all(loads.map((load) => load.stop()));
});

afterAll(async () => {
	await system?.stop();
});

/** Holds so many clients against a gateway with its own settings. All get 408 and are closed by then; others don't notice. */
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
	await eventually('all are gone', () => slow.held() === 0, deadlineMs + 5_000);
	expect(slow.openMs).toHaveLength(clientCount);
	expect(Math.max(...slow.openMs)).toBeLessThan(deadlineMs);
	expect(slow.told.filter((text) => !/^HTTP\/1\.1 408 /.test(text))).toEqual([]);
	for (const load of loads) {
		const answers = await load.stop();
		expect(statusCounts(answers)).toEqual({ 200: answers.length });
		expect(answers.length).toBeGreaterThan(100);
		expect(p99Ms(answers)).toBeLessThan(3_000);
	}
}

test('a thousand whose headers never end are closed within 12 s while others are served', async () => {
	await expectClosedWithin(12_000, 'GET /api/ping HTTP/1.1\r\nHost: a\r\nX-Slow: ', [
		'/api/ping',
		'/auth/profile',
	]);
}, 60_000);

test('a thousand whose bodies never end are closed within 12 s while others are served, in the same context too', async () => {
	const head = [
		'POST /auth/login HTTP/1.1',
		'Host: a',
		'Content-Type: application/json',
		'Content-Length: 50000',
	];
	await expectClosedWithin(12_000, `${head.join('\r\n')}\r\n\r\n{"email":"`, ['/api/ping', '/auth/profile']);
}, 60_000);
