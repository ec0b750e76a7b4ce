import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { createSettableRegistry } from '@paddock/testing';
import { readConfig } from '../config/config.ts';
import { contractOfUnknown } from '../contexts/attached-contract.ts';
import type { Context } from '../contexts/context.ts';
import { contextsFileSchema } from '../contexts/contexts-file.ts';
import { openForwarder } from '../forwarder/undici-forwarder.ts';
import { observedInstances } from '../workers/observed-instances.ts';
import { createWorkers } from '../workers/workers.ts';
import { openInstanceTable } from './instance-table.ts';
import type { BreakerOverride } from './override-table.ts';
import { upstreams } from './upstream.ts';

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

const service = 'farriers';
const now = () => new Date();
const config = readConfig({ NODE_ENV: 'test' });
const registry = createSettableRegistry({ [service]: ['http://127.0.0.1:4001'] });

const contextOf = (entry: object): Context => {
	const [parsed] = contextsFileSchema.parse([{ prefix: '/api/farriers', service, ...entry }]);
	if (parsed === undefined) throw new TypeError('There is no entry.');
	return contractOfUnknown(parsed).context;
};
const before = contextOf({ name: 'farriers' });
const after = contextOf({ name: 'smiths', healthPath: '/healthy' });

const override: BreakerOverride = {
	...{ state: 'OPEN', reason: 'maintenance', by: 'a2c9', at: now() },
	until: new Date(Date.now() + 60_000),
};
const overrides = { of: (context: string) => (context === 'smiths' ? override : undefined) };

// Both kept the context with which the instance was first seen.
test('the breaker of an instance follows its context to another name and health path', async () => {
	const probed: Context[] = [];
	const opened: Context[] = [];
	const table = openInstanceTable({
		...{ config, registry, contexts: [before] },
		...upstreams({
			...{ config, openForwarder, now, overrides },
			mayProbe: async (context) => {
				probed.push(context);
				return false;
			},
			onTransition: (context) => void opened.push(context),
		}),
	});
	const breaker = table.upstreams(service)[0]?.breaker;
	expect(breaker?.admits()).toBe(true);
	table.follow([after]);
	expect(breaker?.admits()).toBe(false);
	breaker?.trip(new Error('refused'));
	await jest.advanceTimersByTimeAsync(config.BREAKER_OPEN_MS);
	expect([opened, probed[0]]).toEqual([[after], after]);
	table.close();
});

test('an observed instance shows the overrides of the present name of its context', () => {
	const attached = { entries: () => [], onChange: () => undefined };
	const workers = createWorkers({
		...{ size: 2, registry, logger: silentLogger(), logLevel: 'info', pages: () => undefined, attached, now },
	});
	const table = openInstanceTable({
		...{ config, registry, contexts: [before] },
		...observedInstances({ workers, overrides, now }),
	});
	const state = () => table.upstreams(service)[0]?.breaker.view().state;
	expect(state()).toBe('CLOSED');
	table.follow([after]);
	expect(state()).toBe('OPEN');
	table.close();
});
