import { once } from 'node:events';
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ChildService, eventually, freePort, patientGateway, startChildService } from '@paddock/testing';

interface Probed {
	readonly server: Server;
	readonly address: string;
	readonly probedAt: number[];
}

const durationMs = 3_000;
const ratePerSecond = 1_000;
const tickMs = 10;
// A round of probes starts at least 1 s after the previous one ended; 5 ms allow for the clocks of two processes.
const gapMinMs = 995;

const instances: Probed[] = [];
let gateway: ChildService;

/** A healthy instance that records the times of its health probes. */
async function probed(): Promise<Probed> {
	const probedAt: number[] = [];
	const server = createServer((req, res) => {
		if (req.url === '/health') probedAt.push(performance.now());
		res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"keys":[]}');
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, probedAt };
}

beforeAll(async () => {
	for (let count = 0; count < 4; count += 1) instances.push(await probed());
	const services = ['auth-service', 'masterdata-service', 'ping-service', 'ping-service'];
	gateway = await startChildService({
		main: 'gateway/src/main.ts',
		port: await freePort(),
		env: {
			DISCOVERY: 'static',
			SERVICE_INSTANCES: instances.map(({ address }, index) => `${services[index]}=${address}`).join(','),
			CONTEXTS: 'auth,masterdata,ping',
			...patientGateway,
			...{ HEALTH_WATCH_MS: '500', HEALTH_TIMEOUT_MS: '10000' },
			RATE_LIMIT_ANONYMOUS: '0',
			HEALTH_LISTENERS_PER_CLIENT_MAX: '20',
		},
		readyPath: '/actuator/health/liveness',
	});
});

afterAll(async () => {
	await gateway.kill();
	for (const { server } of instances) {
		server.closeAllConnections();
		server.close();
	}
});

/** Sends requests at a constant rate, independently of the responses. @returns the number of responses by status */
async function load(path: string): Promise<Map<number, number>> {
	const agent = new Agent({ keepAlive: true, maxSockets: 64 });
	const statuses = new Map<number, number>();
	const responses: Promise<void>[] = [];
	const send = () =>
		new Promise<void>((resolve, reject) => {
			request({ host: '127.0.0.1', port: gateway.port, path, agent }, (res) => {
				const status = res.statusCode ?? 0;
				statuses.set(status, (statuses.get(status) ?? 0) + 1);
				res.resume();
				res.once('end', resolve);
			})
				.once('error', reject)
				.end();
		});
	const startedAt = performance.now();
	for (let sent = 0; performance.now() - startedAt < durationMs; ) {
		const due = Math.floor(((performance.now() - startedAt) * ratePerSecond) / 1000);
		for (; sent < due; sent += 1) responses.push(send());
		await new Promise((resolve) => setTimeout(resolve, tickMs));
	}
	await Promise.all(responses);
	agent.destroy();
	return statuses;
}

/** Opens the health stream. */
async function listen(): Promise<{ readonly events: () => number; readonly close: () => void }> {
	const closing = new AbortController();
	const response = await fetch(`${gateway.url}/actuator/health/stream`, { signal: closing.signal });
	let text = '';
	const reading = (async () => {
		const decoder = new TextDecoder();
		for await (const chunk of response.body ?? [])
			text += decoder.decode(chunk as Uint8Array, { stream: true });
	})();
	reading.catch(() => undefined); // The abort below rejects it.
	return { events: () => text.split('event: health\n').length - 1, close: () => closing.abort() };
}

test(`each instance is probed at most once a second under ${ratePerSecond} health requests a second and 20 streams`, async () => {
	const streams = await Promise.all(Array.from({ length: 20 }, listen));
	const statuses = await load('/actuator/health');
	await eventually('three rounds', () => streams.every(({ events }) => events() >= 3));
	for (const { close } of streams) close();

	const responses = [...statuses.values()].reduce((sum, count) => sum + count, 0);
	expect([...statuses.keys()]).toEqual([200]);
	expect(responses).toBeGreaterThan((ratePerSecond * durationMs) / 1000 / 2);
	for (const { probedAt } of instances) {
		expect(probedAt.length).toBeGreaterThanOrEqual(3);
		// A probe may reach this process late.
		const passedMs = (probedAt.at(-1) ?? 0) - (probedAt[0] ?? 0);
		expect(probedAt.length).toBeLessThanOrEqual(2 + passedMs / gapMinMs);
	}
}, 90_000);
