import { describe, expect, jest, test } from '@jest/globals';
import type { Instance } from '@paddock/discovery';
import { createSettableRegistry } from '@paddock/testing';
import { createHttpProxyForwarder } from '../proxy/http-proxy-forwarder.ts';
import { InstanceAgent } from '../proxy/instance-agent.ts';
import { createBulkhead } from '../resilience/bulkhead.ts';
import { createInstanceBreaker } from '../resilience/instance-breaker.ts';
import { createInstanceTable, type Upstream } from './instance-table.ts';

const service = 'horses-service';
const [a, b, c] = ['http://127.0.0.1:4001', 'http://127.0.0.1:4002', 'http://127.0.0.1:4003'];

interface Opened extends Upstream {
	closed: string[];
}

/** An upstream as the gateway makes it, that notes what is closed. */
function openUpstream(name: string, instance: Instance): Opened {
	const closed: string[] = [];
	const breaker = createInstanceBreaker({
		settings: { windowMs: 30_000, volume: 10, failurePercent: 50, openMs: 10_000 },
		now: () => new Date(),
	});
	const agent = new InstanceAgent({ connectTimeoutMs: 100, socketsMax: 4, idleMs: 100 });
	const forwarder = createHttpProxyForwarder({ url: instance.url, agent });
	return {
		service: name,
		instance,
		closed,
		breaker: {
			...breaker,
			close: () => {
				closed.push('breaker');
				breaker.close();
			},
		},
		bulkhead: createBulkhead({ max: 4, waitingMax: 4 }),
		forwarder: {
			...forwarder,
			close: () => {
				closed.push('forwarder');
				forwarder.close();
			},
		},
		inFlight: 0,
	};
}

function start(urls: readonly string[]) {
	const registry = createSettableRegistry({ [service]: urls });
	const opened: Opened[] = [];
	const table = createInstanceTable({
		registry,
		services: [service],
		open: (name, instance) => {
			const upstream = openUpstream(name, instance);
			opened.push(upstream);
			return upstream;
		},
	});
	return { registry, table, opened };
}

const closedBoth = ['breaker', 'forwarder'];

describe('the instance table', () => {
	test('knows what the registry knew before it was asked', () => {
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
		expect(opened.map(({ closed }) => closed)).toEqual([[], closedBoth, []]);
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
			lastAnswerAt: new Date(),
			rejected: 0,
		});
		const table = createInstanceTable({
			registry: {
				...registry,
				watch: () => ({
					current: () => snapshot([at(a)]),
					answered: () => true,
					onChange: (listener) => {
						tell = (instances) => listener(snapshot(instances));
						return () => undefined;
					},
					stop: () => undefined,
				}),
			},
			services: [service],
			open: (name, instance) => {
				const upstream = openUpstream(name, instance);
				opened.push(upstream);
				return upstream;
			},
		});
		tell([at(b)]);
		expect(table.upstreams(service).map(({ instance }) => instance.url)).toEqual([b]);
		expect(opened.map(({ closed }) => closed)).toEqual([closedBoth, []]);
		table.close();
	});

	test('closes everything at its end and listens no more', () => {
		const { registry, table, opened } = start([a, b]);
		table.close();
		registry.set(service, [c]);
		expect(opened.map(({ closed }) => closed)).toEqual([closedBoth, closedBoth]);
	});

	test('a service that nobody configured is a mistake of ours', () => {
		const { table } = start([a]);
		expect(() => table.upstreams('other-service')).toThrow(TypeError);
		table.close();
	});

	test('an instance that comes and goes 500 times leaves no timer, breaker or agent behind', () => {
		jest.useFakeTimers();
		try {
			const { registry, table, opened } = start([a]);
			const timers = jest.getTimerCount();
			for (let round = 0; round < 500; round += 1) {
				registry.set(service, [a, b]);
				registry.set(service, [a]);
			}
			expect(opened).toHaveLength(501);
			expect(opened.slice(1).every(({ closed }) => closed.join() === closedBoth.join())).toBe(true);
			expect(opened[0]?.closed).toEqual([]);
			expect(jest.getTimerCount()).toBe(timers);
			table.close();
			expect(jest.getTimerCount()).toBe(0);
		} finally {
			jest.useRealTimers();
		}
	});
});
