import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createSettableRegistry } from '@paddock/testing';
import { readConfig } from '../config/config.ts';
import { readOwnContracts } from '../contexts/contracts.ts';
import { openForwarder } from '../forwarder/undici-forwarder.ts';
import { openInstanceTable } from '../upstream/instance-table.ts';
import { upstreams } from '../upstream/upstream.ts';
import type { WorkerReport } from './channel.ts';
import { startReports } from './worker-reports.ts';

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

const { contexts: all } = await readOwnContracts();
const service = 'ping-service';
const url = 'http://127.0.0.1:4001';
const periodMs = 1_000;

function start() {
	const config = readConfig({ NODE_ENV: 'test' });
	const contexts = all.filter(({ name }) => name === 'ping');
	const registry = createSettableRegistry({ [service]: [url] });
	const received: WorkerReport[] = [];
	const table = openInstanceTable({
		...{ config, registry, contexts },
		...upstreams({
			...{ config, openForwarder },
			overrides: { of: () => undefined },
			now: () => new Date(),
			mayProbe: async () => false,
			onTransition: ({ service }, { id }, { cause }) => reports.changed(service, id, cause),
		}),
	});
	const reports = startReports({
		...{ contexts, table },
		report: async (report) => {
			received.push(report);
		},
		eventLoopDelay: { currentMs: () => 0, close: () => undefined },
		connections: () => 0,
		keys: Promise.resolve(),
	});
	return {
		registry,
		retainMs: Math.max(config.BREAKER_WINDOW_MS, config.BREAKER_OPEN_MS),
		openBreaker: () => {
			for (let failure = 0; failure < config.BREAKER_VOLUME; failure += 1)
				table.upstreams(service)[0]?.breaker.admit()?.failed(new Error('refused'));
		},
		nextCauses: async () => {
			await jest.advanceTimersByTimeAsync(periodMs);
			return received.at(-1)?.breakers.map(({ cause }) => cause);
		},
		close: () => {
			reports.close();
			table.close();
		},
	};
}

// The causes of all instances that had ever existed were kept, and a new instance at the same address had a former one's.
test('reports say why a breaker changed last, for as long as the breaker is kept', async () => {
	const { registry, retainMs, openBreaker, nextCauses, close } = start();
	expect(await nextCauses()).toEqual([undefined]);
	openBreaker();
	expect(await nextCauses()).toEqual(['refused']);
	registry.set(service, []);
	expect(await nextCauses()).toEqual([]);
	registry.set(service, [url]);
	expect(await nextCauses()).toEqual(['refused']);
	registry.set(service, []);
	await jest.advanceTimersByTimeAsync(retainMs);
	registry.set(service, [url]);
	expect(await nextCauses()).toEqual([undefined]);
	close();
});
