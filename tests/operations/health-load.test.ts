import { once } from 'node:events';
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ChildService, freePort, startChildService } from '@paddock/testing';

interface Probed {
	readonly server: Server;
	readonly address: string;
	readonly askedAt: number[];
}

const durationMs = 3_000;
const ratePerSecond = 1_000;
const tickMs = 10;
// Each round begins at least a second after the one before has ended. Clocks of two processes tick apart.
const gapMinMs = 995;

const instances: Probed[] = [];
let gateway: ChildService;

/** An instance that is well and writes down when it was asked. */
async function probed(): Promise<Probed> {
	const askedAt: number[] = [];
	const server = createServer((req, res) => {
		if (req.url === '/health') askedAt.push(performance.now());
		res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"keys":[]}');
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, askedAt };
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
			HEALTH_WATCH_MS: '500',
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

/** Sends at a steady pace, however long answers take. @returns how many answers there were of each status */
async function load(path: string): Promise<Map<number, number>> {
	const agent = new Agent({ keepAlive: true, maxSockets: 64 });
	const statuses = new Map<number, number>();
	const answers: Promise<void>[] = [];
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
		for (; sent < due; sent += 1) answers.push(send());
		await new Promise((resolve) => setTimeout(resolve, tickMs));
	}
	await Promise.all(answers);
	agent.destroy();
	return statuses;
}

/** Opens the stream and counts its events until it is left. */
async function listen(): Promise<() => number> {
	const leaving = new AbortController();
	const answer = await fetch(`${gateway.url}/actuator/health/stream`, { signal: leaving.signal });
	let text = '';
	const reading = (async () => {
		const decoder = new TextDecoder();
		for await (const chunk of answer.body ?? [])
			text += decoder.decode(chunk as Uint8Array, { stream: true });
	})();
	reading.catch(() => undefined); // It ends by being left.
	return () => {
		leaving.abort();
		return text.split('event: health\n').length - 1;
	};
}

test(`${ratePerSecond} requests a second for health, twenty listeners and the watch ask each instance at most once a second`, async () => {
	const leave = await Promise.all(Array.from({ length: 20 }, listen));
	const statuses = await load('/actuator/health');
	const events = leave.map((end) => end());

	const answered = [...statuses.values()].reduce((sum, count) => sum + count, 0);
	expect([...statuses.keys()]).toEqual([200]);
	expect(answered).toBeGreaterThan((ratePerSecond * durationMs) / 1000 / 2);
	for (const { askedAt } of instances) {
		expect(askedAt.length).toBeGreaterThanOrEqual(3);
		const gaps = askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0));
		expect(Math.min(...gaps)).toBeGreaterThanOrEqual(gapMinMs);
	}
	for (const count of events) expect(count).toBeGreaterThanOrEqual(3);
}, 90_000);
