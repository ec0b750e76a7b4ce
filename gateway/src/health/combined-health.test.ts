import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { openConsulRegistry, openStaticRegistry, type Registry } from '@paddock/discovery';
import { silentLogger } from '@paddock/telemetry';
import { createMovingClock, eventually } from '@paddock/testing';
import type { Context } from '../contexts/context.ts';
import { readOwnContracts } from '../contexts/contracts.ts';
import { openInstanceTable } from '../upstream/instance-table.ts';
import { createHealthView } from './combined-health.ts';
import { openProber } from './probe.ts';

const clock = createMovingClock();
const noInstances = openStaticRegistry({ instances: new Map(), now: clock.now });
const config = { BREAKER_WINDOW_MS: 0, BREAKER_OPEN_MS: 0, DEADLINE_MS: 0, REQUEST_TIMEOUT_MS: 0 };
const neverOpened = () => {
	throw new Error('There is no instance.');
};

/** A view of a gateway that knows no instance, and how often it has looked. */
function viewSharedFor(
	sharedMs: number,
	registry: Registry = noInstances,
	contexts: readonly Context[] = [],
) {
	let rounds = 0;
	const view = createHealthView({
		contexts,
		table: openInstanceTable({
			...{ config, registry, contexts },
			...{ open: neverOpened, leave: neverOpened, dispose: neverOpened },
		}),
		registry,
		prober: openProber({ timeoutMs: 100 }),
		now: clock.now,
		sharedMs,
		self: () => ({
			version: '1',
			uptimeSeconds: 0,
			draining: false,
			eventLoopDelayMs: 0,
			memoryBytes: 0,
			revocations: { stale: false, ageSeconds: 0 },
			rateLimits: { keptIn: 'memory' },
			otherGateways: [],
			breakerOverrides: { storedIn: 'memory', stale: false },
		}),
		onRound: () => {
			rounds += 1;
		},
	});
	return { view, rounds: () => rounds };
}

test('a round is shared for the configured time, and no longer', async () => {
	const { view, rounds } = viewSharedFor(1_000);
	await view.read();
	clock.advance(999);
	await view.read();
	expect(rounds()).toBe(1);
	clock.advance(1);
	await view.read();
	expect(rounds()).toBe(2);
});

// The end of the sharing was an instant, and after the clock had been set back it took as long to come: health, its
// history and the metrics stood still for all of it.
test('a clock that is set back does not keep the last round', async () => {
	const { view, rounds } = viewSharedFor(1_000);
	await view.read();
	clock.advance(-3_600_000);
	await view.read();
	expect(rounds()).toBe(2);
});

// It was reported only if Consul did not respond at all; without a leader it responds, but to every query with 500.
test('a Consul that responds but cannot say where services are says why', async () => {
	const consul = createServer((req, res) => {
		if (req.url?.startsWith('/v1/status/leader')) res.setHeader('Content-Type', 'application/json').end('""');
		else res.writeHead(500).end('No cluster leader');
	}).listen(0, '127.0.0.1');
	await once(consul, 'listening');
	const { port } = consul.address() as AddressInfo;
	const registry = openConsulRegistry({
		address: `127.0.0.1:${port}`,
		logger: silentLogger(),
		now: clock.now,
	});
	try {
		const { view } = viewSharedFor(0, registry, (await readOwnContracts()).contexts.slice(0, 1));
		await eventually('a query has failed, and then Consul has responded', () => {
			const { lastError, reachable } = registry.status();
			return lastError !== undefined && reachable;
		});
		const { discovery } = (await view.read()).health.components;
		expect(discovery).toMatchObject({ status: 'DOWN', message: expect.stringContaining('HTTP 500') });
	} finally {
		await registry.close();
		consul.close();
	}
});
