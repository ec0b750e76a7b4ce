import { expect, test } from '@jest/globals';
import type { Role } from '@paddock/identity';
import { createLogger } from '@paddock/telemetry';
import { eventually, startTestService } from '@paddock/testing';
import { expectFailure } from './expect-failure.ts';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();

interface Entry {
	name: string;
	instance?: string;
	effectiveLevel?: string;
	until?: string;
	problem?: string;
}

/** A gateway in front of two real services for horses, and one that does not respond for ping. */
async function setUp() {
	const gateway = await bench.start({ settings: { HEALTH_TIMEOUT_MS: '2000' } });
	const lines: string[] = [];
	const loggers = await Promise.all(
		['one', 'two'].map(async () => {
			const logger = createLogger({ service: 'horses-service', level: 'info' });
			for (const transport of logger.transports) transport.silent = true;
			logger.on('data', (info: Record<symbol, string>) => lines.push(info[Symbol.for('message')] ?? ''));
			const opened = { routes: [], deps: {}, checks: [], close: async () => undefined };
			const now = () => new Date();
			const service = await startTestService({ opened, keys: gateway.identity.keys, now, logger });
			bench.closing(() => service.close());
			return { logger, url: service.url };
		}),
	);
	gateway.registry.set(
		'horses-service',
		loggers.map(({ url }) => url),
	);
	gateway.registry.set('ping-service', ['http://127.0.0.1:9']);
	const ofHorses = async () =>
		(await list(gateway)).filter(({ name }) => name === 'horses').map(({ effectiveLevel }) => effectiveLevel);
	return { gateway, lines, levels: () => loggers.map(({ logger }) => logger.level), ofHorses };
}

async function send(gateway: BenchGateway, path: string, body?: object, roles: Role[] = ['ADMIN']) {
	const response = await gateway.send({
		path: `/actuator/loggers${path}`,
		token: gateway.identity.sign({ roles }),
		...(body === undefined
			? {}
			: {
					method: 'POST',
					headers: { 'Content-Type': 'application/json' },
					body: JSON.stringify(body),
				}),
	});
	return { ...response, headers: response.headers as Record<string, string> };
}

async function list(gateway: BenchGateway): Promise<Entry[]> {
	const { data } = (await send(gateway, '')).json();
	return data as unknown as Entry[];
}

test('an administrator reads and changes the levels of all instances of a context, which expire', async () => {
	const { gateway, lines, levels, ofHorses } = await setUp();
	expect(await ofHorses()).toEqual(['info', 'info']);
	const changed = await send(gateway, '/horses', { level: 'debug', expiresInSeconds: 1 });
	expect(changed.json().data).toMatchObject([
		{ name: 'horses', instance: expect.any(String), effectiveLevel: 'debug', until: expect.any(String) },
		{ name: 'horses', effectiveLevel: 'debug' },
	]);
	expect(levels()).toEqual(['debug', 'debug']);
	const audit = lines.filter((line) => line.includes('"log level changed"'));
	expect(audit).toEqual([expect.stringMatching(/"userId":"/), expect.stringMatching(/"userId":"/)]);
	await eventually('the level has expired', () => levels().every((level) => level === 'info'));
	expect(await ofHorses()).toEqual(['info', 'info']);
});

test('one instance of a context can be chosen, and an instance that does not respond is reported', async () => {
	const { gateway, levels } = await setUp();
	const [first] = (await list(gateway)).filter(({ name }) => name === 'horses');
	await send(gateway, `/horses?instance=${first?.instance}`, { level: 'error' });
	expect(levels().sort()).toEqual(['error', 'info']);
	const unreachable = (await list(gateway)).find(({ name }) => name === 'ping');
	expect(unreachable).toEqual({ name: 'ping', instance: expect.any(String), problem: 'No response' });
});

test('services verify the token themselves, and unknown processes are not found', async () => {
	const { gateway, levels } = await setUp();
	expectFailure(await send(gateway, '/horses', { level: 'debug' }, ['FEDERATION_OFFICER']), 403, 'FORBIDDEN');
	expectFailure(await send(gateway, '/nothing', { level: 'debug' }), 404, 'NOT_FOUND');
	expectFailure(await send(gateway, '/horses?instance=none', { level: 'debug' }), 404, 'NOT_FOUND');
	const [instance] = gateway.opened.deps.table.upstreams('horses-service');
	const direct = async (token: string) =>
		(
			await fetch(`${instance?.instance.url}/loggers`, {
				method: 'POST',
				headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
				body: '{"level":"debug"}',
			})
		).status;
	expect(await direct(gateway.identity.sign({ roles: ['FEDERATION_OFFICER'] }))).toBe(403);
	expect(await direct('forged')).toBe(401);
	expect(levels()).toEqual(['info', 'info']);
});

test('a request cannot reach the level of a service through the proxy', async () => {
	const { gateway } = await setUp();
	const { status, json } = await gateway.send({ path: '/loggers' });
	expect([status, json().data['code']]).toEqual([404, 'ROUTE_NOT_FOUND']);
});
