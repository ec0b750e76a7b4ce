import { afterEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { eventually } from '../../testing/src/eventually.ts';
import { patient } from '../../testing/src/patient.ts';
import { startStopwatch } from '../../testing/src/stopwatch.ts';
import type { ConsulSettings } from '../src/consul-access.ts';
import { openConsulRegistry } from '../src/consul-registry.ts';
import type { Registry } from '../src/index.ts';
import { type Behaviour, entriesAt, respond, startMisbehavingConsul } from './misbehaving-consul.ts';

const pauseMs = 150;
const settings: Partial<ConsulSettings> = {
	pauseMs,
	backoffMinMs: 10,
	backoffMaxMs: 40,
	callTimeoutMs: 3_000,
};

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function setUp(behaviour: Behaviour, own: Partial<ConsulSettings> = {}) {
	const consul = await startMisbehavingConsul(behaviour);
	cleanups.push(consul.stop);
	const registry = openConsulRegistry({
		address: consul.address,
		logger: silentLogger(),
		now: () => new Date(),
		settings: { ...settings, ...own },
	});
	cleanups.push(registry.close);
	return { consul, registry, startedMs: performance.now() };
}

/**
 * Each query begins at least a pause after the one before. They are seen when they arrive, later than they began: the
 * time between two of them may be shorter than the pause, but each is so many pauses after the start as were before it.
 */
function expectMeasured(queries: readonly { atMs: number }[], startedMs: number): void {
	const timerMs = 2;
	for (const [before, { atMs }] of queries.entries())
		expect(atMs - startedMs).toBeGreaterThanOrEqual(before * (pauseMs - timerMs));
}

const good: Behaviour = (response) => respond(response, entriesAt(7001), '5');

const useless: { name: string; behaviour: Behaviour }[] = [
	{ name: 'has no index', behaviour: (response) => respond(response, entriesAt(7001)) },
	{ name: 'has an index that is no number', behaviour: (r) => respond(r, entriesAt(7001), 'soon') },
	{ name: 'is a 400', behaviour: (response) => response.writeHead(400).end('bad request') },
	{ name: 'is a 500', behaviour: (response) => response.writeHead(500).end('No cluster leader') },
	{ name: 'is a redirect', behaviour: (r) => r.writeHead(302, { location: '/v1/elsewhere' }).end() },
	{ name: 'is cut within its JSON', behaviour: (response) => respond(response, '[{"Service":', '5') },
	{ name: 'is not a list', behaviour: (response) => respond(response, '{}', '5') },
	{ name: 'is a page of HTML', behaviour: (r) => r.setHeader('x-consul-index', '5').end('<html>') },
	{
		name: 'breaks off within its body',
		behaviour: (response) => {
			response.writeHead(200, {
				'content-type': 'application/json',
				'content-length': '500',
				'x-consul-index': '5',
			});
			response.write(entriesAt(7001), () => response.socket?.destroy());
		},
	},
	{ name: 'is a reset', behaviour: (response) => response.socket?.resetAndDestroy() },
];

describe('a useless response', () => {
	test.each(useless)(
		'that $name: the last known stay, it continues with a limited rate of queries and recovers',
		async ({ behaviour }) => {
			const { consul, registry, startedMs } = await setUp(good);
			const watch = registry.watch('horses-service');
			await eventually('the good response', () => watch.current().instances.length === 1);

			consul.behave(behaviour);
			await eventually('staleness', () => watch.current().stale);
			const first = consul.queries.length;
			await eventually('four more queries', () => consul.queries.length >= first + 4);
			expectMeasured(consul.queries, startedMs);
			// Without an index: a blocking query to a Consul that is back only returns when something changes.
			expect(consul.queries[first]?.url).not.toMatch(/index/);
			expect(watch.current().instances.map(({ port }) => port)).toEqual([7001]);
			expect(registry.status().lastError).toMatch(
				/^health\.service: (?!consul)|^Consul has closed the connection$/,
			);

			consul.behave(good);
			await eventually('recovery', () => !watch.current().stale);
			expect(registry.status().lastError).toBeUndefined();
		},
	);

	test('no instance at the start is not a response: nothing is known', async () => {
		const { consul, registry } = await setUp((response) => response.writeHead(403).end());
		const watch = registry.watch('horses-service');
		await eventually('two queries', () => consul.queries.length >= 2);
		expect(watch.responded()).toBe(false);
		expect(watch.current()).toEqual({
			instances: [],
			stale: true,
			unlisted: false,
			lastResponseAt: undefined,
			rejected: 0,
		});
		expect(registry.status()).toMatchObject({ reachable: true, leader: '127.0.0.1:8300' });
	});
});

describe('an index', () => {
	test('that grows with every response causes neither a busy loop nor notifications', async () => {
		const { consul, registry, startedMs } = await setUp((response, call) =>
			respond(response, entriesAt(7001), `${call}`),
		);
		const watch = registry.watch('horses-service');
		let updates = 0;
		watch.onChange(() => {
			updates += 1;
		});
		await eventually('five queries', () => consul.queries.length >= 5);
		expectMeasured(consul.queries, startedMs);
		expect(updates).toBe(1);
		expect(consul.queries.map(({ url }) => new URL(url, 'http://consul').searchParams.get('index'))).toEqual(
			expect.arrayContaining([null, '1', '2', '3', '4']),
		);
	});

	test.each([
		{ name: 'goes backwards', indexes: ['900', '7'] },
		{ name: 'is 0', indexes: ['900', '0'] },
		{ name: 'is negative', indexes: ['900', '-4'] },
	])('that $name starts again without blocking, and the response counts', async ({ indexes }) => {
		const { consul, registry } = await setUp((response, call) => {
			if (call <= 2) respond(response, entriesAt(7000 + call), indexes[call - 1]);
		});
		const watch = registry.watch('horses-service');
		await eventually('three queries', () => consul.queries.length >= 3);
		const sent = consul.queries.map(({ url }) => new URL(url, 'http://consul').searchParams.get('index'));
		expect(sent.slice(0, 3)).toEqual([null, '900', null]);
		expect(watch.current().instances.map(({ port }) => port)).toEqual([7002]);
	});
});

describe('observers', () => {
	test('of one service share a query; a listener that throws does not affect others', async () => {
		const { consul, registry } = await setUp((response, call) => {
			if (call === 1) respond(response, entriesAt(7001), '5');
		});
		const seen: number[] = [];
		const first = registry.watch('horses-service');
		const second = registry.watch('horses-service');
		first.onChange(() => {
			throw new Error('a bug');
		});
		second.onChange(({ instances }) => seen.push(instances.length));
		await eventually('updates', () => seen.length === 1);
		await eventually('the blocking query', () => consul.queries.length === 2);
		first.stop();
		expect(second.current().instances).toHaveLength(1);
	});

	test('that stop end the query, and later ones start a new one', async () => {
		const { consul, registry } = await setUp(good);
		const watch = registry.watch('horses-service');
		await eventually('a response', () => watch.responded());
		watch.stop();
		watch.stop();
		const again = registry.watch('horses-service');
		expect(again.responded()).toBe(false);
		await eventually('a response', () => again.responded());
		expect(consul.queries.at(-1)?.url).toMatch(/^\/v1\/health\/service\/horses-service\?passing=true/);
	});
});

describe('a Consul that accepts and never responds', () => {
	test('makes stale and unreachable after the time-outs, in measure', async () => {
		const { consul, registry, startedMs } = await setUp(good, { waitMs: 205, callTimeoutMs: 200 });
		const watch = registry.watch('horses-service');
		await eventually('the good response', () => watch.current().instances.length === 1);
		consul.behave(() => undefined);
		await eventually('staleness', () => watch.current().stale, 3_000);
		expect(registry.status().reachable).toBe(false);
		expect(registry.status().lastError).toMatch(/^Consul does not respond within [\d.]+ s$/);
		const first = consul.queries.length;
		await eventually('three more queries', () => consul.queries.length >= first + 3);
		expectMeasured(consul.queries, startedMs);
	});
});

test('close ends everything while a query blocks', async () => {
	const { consul, registry }: { consul: { queries: unknown[] }; registry: Registry } = await setUp(
		() => undefined,
	);
	registry.watch('horses-service');
	await eventually('the query', () => consul.queries.length === 1);
	const elapsedMs = startStopwatch();
	await registry.close();
	expect(elapsedMs()).toBeLessThan(patient(1_000));
});
