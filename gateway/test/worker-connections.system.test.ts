import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { Client } from 'undici';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';

const connections = 24;
const settledMs = 500;
let gateway: GatewayProcess;
let clients: readonly Client[];

// Three processes start, on a machine that others use.
jest.setTimeout(90_000);

beforeAll(async () => {
	gateway = await startGatewayProcess({ WORKERS: '2', CONTEXTS: 'ping', RATE_LIMIT_ANONYMOUS: '0' });
	const origin = `http://127.0.0.1:${gateway.port}`;
	clients = Array.from({ length: connections }, () => new Client(origin));
});
afterAll(async () => {
	gateway.child.kill('SIGKILL');
	await Promise.all(clients.map((client) => client.destroy()));
});

async function workers(): Promise<[number, number]> {
	const pids = (): number[] =>
		gateway
			.stdout()
			.split('\n')
			.filter((line) => line.includes('"worker listening"') && line.endsWith('}'))
			.map((line) => Number((JSON.parse(line) as { pid: number }).pid));
	await eventually('both workers listen', () => pids().length === 2);
	// Signals to process 0 would reach the group of this one.
	expect(Math.min(...pids())).toBeGreaterThan(1);
	return pids() as [number, number];
}

// Parsing them takes the worker longer than sending them takes the test, so that the worker is busy.
const headers = Array.from({ length: 100 }, (_, at) => [`x-header-${at}`, 'value']).flat();

/** The gateway itself responds. */
async function send(client: Client): Promise<number> {
	const { statusCode, body } = await client.request({ method: 'GET', path: '/unknown', headers });
	await body.dump();
	return statusCode;
}

const sendAll = () => Promise.all(clients.map(send));

/** The statuses of all responses; each client sends its next request when it has its response. */
async function load(ms: number): Promise<Set<number>> {
	const statuses = new Set<number>();
	const endMs = performance.now() + ms;
	await Promise.all(
		clients.map(async (client) => {
			do statuses.add(await send(client));
			while (performance.now() < endMs);
		}),
	);
	return statuses;
}

/** How many clients have a response although a worker is stopped; they keep their connections. */
async function servedWithout(worker: number): Promise<number> {
	// A client that has lost its connection connects again first.
	await sendAll();
	let served = 0;
	process.kill(worker, 'SIGSTOP');
	const all = clients.map(async (client) => {
		await send(client);
		served += 1;
	});
	await wait(settledMs);
	const without = served;
	process.kill(worker, 'SIGCONT');
	await Promise.all(all);
	return without;
}

// One worker had accepted all connections; the other had nothing to do as long as they stayed open.
test('a busy worker passes connections to the other one, and no request fails', async () => {
	const [first, second] = await workers();
	process.kill(second, 'SIGSTOP');
	await sendAll();
	process.kill(second, 'SIGCONT');
	expect(await servedWithout(first)).toBe(0);
	await eventually(
		'the other worker has at least a quarter of them',
		async () => {
			expect(await load(3_000)).toEqual(new Set([404]));
			return (await servedWithout(first)) >= connections / 4;
		},
		60_000,
	);
});
