import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
	type ChildService,
	createTestIdentity,
	eventually,
	freePort,
	respondOk,
	startChildService,
} from '@paddock/testing';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { standInAuth } from './stand-in-auth.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

// The cause of these tests: the volume of a breaker is never reached by one caller, who waited for each timeout.
const failFastMs = 1_000;
const settings = {
	CONTEXTS: 'auth,ping',
	HEALTH_WATCH_MS: '500',
	HEALTH_SHARED_MS: '0',
	HEALTH_TIMEOUT_MS: '500',
	RATE_LIMIT_ANONYMOUS: '0',
	RESPONSE_TIMEOUT_MS: '3000',
	BREAKER_OPEN_MS: '60000',
	BREAKER_VOLUME: '1000',
};

jest.setTimeout(90_000);

let services: ChildService[];

beforeAll(async () => {
	const startPing = async () =>
		startChildService({
			main: 'services/ping/src/main.ts',
			port: await freePort(),
			env: { DISCOVERY: 'static' },
			readyPath: '/health',
		});
	services = await Promise.all([startPing(), startPing()]);
});

afterEach(() => signalAll('SIGCONT'));

afterAll(async () => {
	for (const service of services) await service.stop('SIGKILL');
});

function signalAll(signal: NodeJS.Signals): void {
	for (const service of services) service.signal(signal);
}

interface Received {
	readonly status: number;
	readonly tookMs: number;
	readonly retryAfterS: number;
	readonly code: string | undefined;
}

/** One caller at a time. */
async function ping(url: string): Promise<Received> {
	const startedAt = performance.now();
	const response = await fetch(`${url}/api/ping`, { headers: { Connection: 'close' } });
	const { data } = (await response.json()) as { data: { code?: string } };
	return {
		status: response.status,
		tookMs: performance.now() - startedAt,
		retryAfterS: Number(response.headers.get('Retry-After')),
		code: data.code,
	};
}

async function pings(url: string, count: number): Promise<Received[]> {
	const received: Received[] = [];
	for (let at = 0; at < count; at += 1) received.push(await ping(url));
	return received;
}

const failsFast = ({ status, tookMs, retryAfterS, code }: Received): boolean =>
	status === 503 && code === 'CIRCUIT_OPEN' && retryAfterS >= 1 && tookMs < failFastMs;
const succeedsFast = ({ status, tookMs }: Received): boolean => status === 200 && tookMs < failFastMs;

/** Several calls to each gateway, each over a connection of its own, which reach all workers. */
const eventuallyAll = (
	urls: readonly string[],
	description: string,
	holds: (received: Received) => boolean,
) =>
	eventually(
		description,
		async () => (await Promise.all(urls.map((url) => pings(url, 8)))).flat().every(holds),
		60_000,
	);

type Instance = { message?: string; breaker: { state: string } };

async function instancesOf(url: string): Promise<Instance[]> {
	const response = await fetch(`${url}/actuator/health/ping`);
	return ((await response.json()) as { data: { instances: Instance[] } }).data.instances;
}

const eventuallyShown = (
	urls: readonly string[],
	description: string,
	holds: (shown: Instance[]) => boolean,
) => eventually(description, async () => (await Promise.all(urls.map(instancesOf))).every(holds), 60_000);

async function hangsAndRecovers(urls: readonly string[]): Promise<void> {
	await eventuallyAll(urls, 'both instances respond', succeedsFast);
	services[0]?.signal('SIGSTOP');
	await eventuallyAll(urls, 'the instance that hangs is left out', succeedsFast);
	await eventuallyShown(urls, 'health shows why', (shown) =>
		shown.some(
			({ breaker, message = '' }) =>
				breaker.state === 'OPEN' && /^No response .*; it gets no requests$/.test(message),
		),
	);
	signalAll('SIGSTOP');
	await eventuallyAll(urls, 'requests fail fast while both hang', failsFast);
	services[1]?.signal('SIGCONT');
	await eventuallyAll(urls, 'requests succeed with the one that responds again', succeedsFast);
	services[0]?.signal('SIGCONT');
	await eventuallyShown(urls, 'both are used', (shown) =>
		shown.every(({ breaker }) => breaker.state === 'CLOSED'),
	);
	await eventuallyAll(urls, 'requests succeed', succeedsFast);
}

describe('an instance whose process hangs', () => {
	let gateway: TestGateway | undefined;
	afterEach(() => gateway?.close());

	test('is left out and used again, with one caller at a time', async () => {
		const urls = services.map(({ url }) => url);
		gateway = await startTestGateway({ services: { 'ping-service': urls }, settings });
		await hangsAndRecovers([gateway.url]);
		const history = await fetch(`${gateway.url}/actuator/health/history`);
		const { items } = ((await history.json()) as { data: { items: object[] } }).data;
		expect(items).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ to: 'OPEN', cause: 'no response to health probes' }),
				expect.objectContaining({ from: 'OPEN', to: 'CLOSED', cause: 'responds again' }),
			]),
		);
	});

	test('is left out when it is the only one', async () => {
		const [first] = services;
		gateway = await startTestGateway({ services: { 'ping-service': [first?.url ?? ''] }, settings });
		await eventuallyAll([gateway.url], 'it responds', succeedsFast);
		first?.signal('SIGSTOP');
		await eventuallyAll([gateway.url], 'requests fail fast', failsFast);
		first?.signal('SIGCONT');
		await eventuallyAll([gateway.url], 'requests succeed', succeedsFast);
	});

	test('is left out and used again by all gateways and all of their workers', async () => {
		const identity = await createTestIdentity();
		const auth = await standInAuth(identity.jwks);
		const instances = services.map(({ url }) => `ping-service=${url}`);
		const gateways: GatewayProcess[] = [];
		try {
			for (const WORKERS of ['2', '1'])
				gateways.push(
					await startGatewayProcess({
						...settings,
						WORKERS,
						SERVICE_INSTANCES: [`auth-service=${auth.url}`, ...instances].join(','),
					}),
				);
			const urls = gateways.map(({ port }) => `http://127.0.0.1:${port}`);
			await hangsAndRecovers(urls);
		} finally {
			for (const { child } of gateways) child.kill('SIGKILL');
			await auth.close();
		}
	});
});

test('an instance that responds to requests but not to probes is not left out', async () => {
	let probes = 0;
	const server = createServer((req, res) => {
		if (req.url === '/health') probes += 1;
		else respondOk(req, res);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const gateway = await startTestGateway({ services: { 'ping-service': [url] }, settings });
	try {
		const received: Received[] = [];
		const eventuallyProbed = (count: number) =>
			eventually(
				'more probes have failed',
				async () => {
					received.push(await ping(gateway.url));
					return probes >= count;
				},
				30_000,
			);
		await eventuallyProbed(10);
		// Without requests, the responses to the last ones still count.
		const before = probes;
		await eventually('more probes have failed', () => probes >= before + 5, 30_000);
		await eventuallyProbed(before + 6);
		expect(new Set(received.map(({ status }) => status))).toEqual(new Set([200]));
	} finally {
		await gateway.close();
		server.closeAllConnections();
		server.close();
	}
});
