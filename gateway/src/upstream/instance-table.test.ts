import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Instance } from '@paddock/discovery';
import { createBulkhead, openCircuitBreaker } from '@paddock/resilience';
import { createSettableRegistry } from '@paddock/testing';
import { readConfig } from '../config/config.ts';
import { openForwarder } from '../forwarder/undici-forwarder.ts';
import { openInstanceTable } from './instance-table.ts';
import { type InstanceState, type Upstream, upstreams } from './upstream.ts';

const service = 'horses-service';
const [a, b, c] = ['http://127.0.0.1:4001', 'http://127.0.0.1:4002', 'http://127.0.0.1:4003'];

const breakerSettings = { windowMs: 30_000, volume: 10, failurePercent: 50, openMs: 10_000 };
const retainMs = 30_000;
const lingerMs = 38_000;
const config = {
	...{ BREAKER_WINDOW_MS: retainMs, BREAKER_OPEN_MS: breakerSettings.openMs },
	...{ DEADLINE_MS: 8_000, REQUEST_TIMEOUT_MS: lingerMs - 8_000 },
};

const { leave, dispose } = upstreams({
	...{ config: readConfig({ NODE_ENV: 'test' }), overrides: { of: () => undefined }, openForwarder },
	...{ mayProbe: async () => false, onTransition: () => undefined, now: () => new Date() },
});

interface Opened extends Upstream {
	closed: string[];
}

/** An upstream as the gateway makes it, that notes what is closed. */
function openUpstream(instance: Instance, former?: InstanceState): Opened {
	const closed: string[] = [];
	const own = openCircuitBreaker({ settings: breakerSettings, now: () => new Date() });
	if (former !== undefined) own.close();
	const forwarder = openForwarder(instance.url, { connectTimeoutMs: 100, socketsMax: 4, idleMs: 100 });
	return {
		service,
		instance,
		closed,
		breaker: former?.breaker ?? {
			admits: () => own.admits(),
			admit: () => own.admit(),
			view: () => own.view(),
			ownView: () => own.view(),
			trip: (cause) => own.trip(cause),
			reset: () => own.reset(),
			close: () => {
				closed.push('breaker');
				own.close();
			},
		},
		bulkhead: former?.bulkhead ?? createBulkhead({ max: 4, waitingMax: 4 }),
		forwarder: {
			...forwarder,
			close: () => {
				closed.push('forwarder');
				forwarder.close();
			},
		},
		inFlight: 0,
		respondedAt: undefined,
		failedAt: undefined,
	};
}

function start(urls: readonly string[]) {
	const registry = createSettableRegistry({ [service]: urls });
	const opened: Opened[] = [];
	const table = openInstanceTable({
		config,
		registry,
		contexts: [{ service }],
		...{ leave, dispose },
		open: (_context: unknown, instance: Instance, former: InstanceState | undefined) => {
			const upstream = openUpstream(instance, former);
			opened.push(upstream);
			return upstream;
		},
	});
	return { registry, table, opened };
}

const closedBoth = ['forwarder', 'breaker'];

describe('the instance table', () => {
	test('has the instances that the registry already knew', () => {
		const { table } = start([a, b]);
		expect(table.upstreams(service).map(({ instance }) => instance.url)).toEqual([a, b]);
		table.close();
	});

	test('keeps breaker and connections of instances that stay', () => {
		const { registry, table, opened } = start([a, b]);
		const [first] = table.upstreams(service);
		registry.set(service, [c, a]);
		expect(table.upstreams(service)[1]).toBe(first);
		expect(opened).toHaveLength(3);
		expect(opened.map(({ closed }) => closed)).toEqual([[], ['forwarder'], []]);
		table.close();
	});

	test('the same id at another address is another instance', () => {
		const opened: Opened[] = [];
		const registry = createSettableRegistry({});
		const at = (url: string): Instance => ({ id: 'horses-1', address: '127.0.0.1', port: 1, url });
		let tell: (instances: Instance[]) => void = () => undefined;
		const snapshot = (instances: Instance[]) => ({
			instances,
			stale: false,
			lastResponseAt: new Date(),
			unlisted: false,
			rejected: 0,
		});
		const table = openInstanceTable({
			config,
			registry: {
				...registry,
				watch: () => ({
					current: () => snapshot([at(a)]),
					responded: () => true,
					onChange: (listener) => {
						tell = (instances) => listener(snapshot(instances));
						return () => undefined;
					},
					stop: () => undefined,
				}),
			},
			contexts: [{ service }],
			...{ leave, dispose },
			open: (_context: unknown, instance: Instance, former: InstanceState | undefined) => {
				const upstream = openUpstream(instance, former);
				opened.push(upstream);
				return upstream;
			},
		});
		tell([at(b)]);
		expect(table.upstreams(service).map(({ instance }) => instance.url)).toEqual([b]);
		expect(opened.map(({ closed }) => closed)).toEqual([['forwarder'], []]);
		expect(opened[1]?.breaker).not.toBe(opened[0]?.breaker);
		table.close();
	});

	test('closes everything at its end and listens no more', () => {
		const { registry, table, opened } = start([a, b]);
		table.close();
		registry.set(service, [c]);
		expect(opened.map(({ closed }) => closed)).toEqual([closedBoth, closedBoth]);
	});

	test('a service that is not configured is a bug', () => {
		const { table } = start([a]);
		expect(() => table.upstreams('other-service')).toThrow(TypeError);
		table.close();
	});
});

describe('an instance that leaves the registry', () => {
	beforeEach(() => {
		jest.useFakeTimers();
	});
	afterEach(() => {
		jest.useRealTimers();
	});

	test('keeps its open breaker when it returns in time', async () => {
		const { registry, table } = start([a]);
		const stateOf = () => table.upstreams(service)[0]?.breaker.view().state;
		for (let failure = 0; failure < breakerSettings.volume; failure += 1)
			table.upstreams(service)[0]?.breaker.admit()?.failed(new Error('refused'));
		await jest.advanceTimersByTimeAsync(0);
		expect(stateOf()).toBe('OPEN');
		registry.set(service, []);
		await jest.advanceTimersByTimeAsync(5_000);
		registry.set(service, [a]);
		expect(stateOf()).toBe('OPEN');
		await jest.advanceTimersByTimeAsync(breakerSettings.openMs - 5_000);
		expect(stateOf()).toBe('HALF_OPEN');
		table.close();
	});

	test('keeps the failures of its window when it returns in time', async () => {
		const { registry, table } = start([a]);
		const fail = (times: number): void => {
			for (let failure = 0; failure < times; failure += 1)
				table.upstreams(service)[0]?.breaker.admit()?.failed(new Error('refused'));
		};
		fail(breakerSettings.volume - 1);
		registry.set(service, []);
		registry.set(service, [a]);
		fail(1);
		await jest.advanceTimersByTimeAsync(0);
		expect(table.upstreams(service)[0]?.breaker.view().state).toBe('OPEN');
		table.close();
	});

	test('is removed, and its breaker closed, if it does not return in time', async () => {
		const { registry, table, opened } = start([a]);
		registry.set(service, []);
		await jest.advanceTimersByTimeAsync(retainMs);
		expect(opened[0]?.closed).toEqual(closedBoth);
		registry.set(service, [a]);
		expect(table.upstreams(service)[0]?.breaker).not.toBe(opened[0]?.breaker);
		table.close();
		expect(jest.getTimerCount()).toBe(0);
	});

	test('500 times leaves no timer, breaker or agent behind', async () => {
		const { registry, table, opened } = start([a]);
		const timers = jest.getTimerCount();
		for (let round = 0; round < 500; round += 1) {
			registry.set(service, [a, b]);
			registry.set(service, [a]);
		}
		expect(opened).toHaveLength(501);
		expect(opened.slice(1).every(({ closed }) => closed.includes('forwarder'))).toBe(true);
		await jest.advanceTimersByTimeAsync(retainMs);
		expect(opened[1]?.closed).toContain('breaker');
		expect(opened[0]?.closed).toEqual([]);
		expect(jest.getTimerCount()).toBe(timers);
		table.close();
		expect(jest.getTimerCount()).toBe(0);
	});

	test('among more than the limit leaves the breakers of the latest ones only', async () => {
		const urls = Array.from({ length: 1_000 }, (_, index) => `http://127.0.0.1:${5_000 + index}`);
		const { registry, table, opened } = start(urls);
		registry.set(service, []);
		const open = opened.filter(({ closed }) => !closed.includes('breaker'));
		expect(open.map(({ instance }) => instance.url)).toEqual(urls.slice(-256));
		table.close();
		expect(jest.getTimerCount()).toBe(0);
	});
});
