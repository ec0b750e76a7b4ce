import { describe, expect, test } from '@jest/globals';
import type { CombinedHealth } from './combined-health.ts';
import { healthChanges as changesSince, isRecovery } from './health-changes.ts';
import type { StateChange } from './health-history.ts';
import type { HealthStatus, ServiceHealth } from './health-schemas.ts';
import type { ProbeResult } from './probe.ts';

interface Made {
	status?: HealthStatus;
	instances?: Record<string, HealthStatus>;
	stale?: boolean;
	unlisted?: boolean;
	database?: 'UP' | 'DEGRADED' | 'DOWN';
	problem?: Pick<ProbeResult, 'reason' | 'message'>;
}

function service({
	status = 'UP',
	instances = { a: 'UP' },
	stale = false,
	unlisted = false,
	database,
	problem = {},
}: Made): ServiceHealth {
	return {
		status,
		critical: true,
		...problem,
		...(database === undefined ? {} : { components: { database: { status: database } } }),
		instances: Object.entries(instances).map(([id, state]) => ({
			id,
			address: 'h:1',
			status: state,
			latencyMs: 1,
			inFlight: 0,
			breaker: { state: 'CLOSED', since: new Date(0), failureRate: undefined, nextTryAt: undefined },
		})),
		discovery: { stale, unlisted, ageSeconds: 0, rejected: 0 },
	};
}

function health(horses: Made, lost?: string): CombinedHealth {
	const discovery = {
		status: lost === undefined ? ('UP' as const) : ('DEGRADED' as const),
		kind: 'consul' as const,
		leader: null,
		ageSeconds: 0,
		stale: lost !== undefined,
		...(lost === undefined ? {} : { message: lost }),
	};
	return { status: 'UP', components: { horses: service(horses), discovery } };
}

const healthChanges = (
	before: CombinedHealth,
	after: CombinedHealth,
	shown: readonly Omit<StateChange, 'at'>[] = [],
) =>
	changesSince(
		before,
		after,
		shown.map((change) => ({ ...change, at: new Date(0) })),
	);

const well = health({});

describe('from one round to the next', () => {
	test('nothing has changed: nothing is reported', () => {
		expect(healthChanges(well, health({}))).toEqual([]);
	});

	test('a service goes down: with reason, message and the instance', () => {
		const problem = { reason: 'TIMEOUT', message: 'No response within 1000 ms' } as const;
		expect(healthChanges(well, health({ status: 'DOWN', instances: { a: 'DOWN' }, problem }))).toEqual([
			{
				context: 'horses',
				instance: 'a',
				what: 'health',
				from: 'UP',
				to: 'DOWN',
				cause: 'TIMEOUT: No response within 1000 ms',
			},
		]);
	});

	test('and comes back', () => {
		const down = health({ status: 'DOWN', instances: { a: 'DOWN' } });
		expect(healthChanges(down, well)).toEqual([
			{ context: 'horses', what: 'health', from: 'DOWN', to: 'UP', cause: 'responds normally again' },
		]);
	});

	test('a dependency that was DEGRADED is not blamed for the status of the service', () => {
		const problem = { reason: 'TIMEOUT', message: 'No response within 1000 ms' } as const;
		const down = health({ status: 'DOWN', instances: { a: 'DOWN' }, problem });
		const [change] = healthChanges(health({ database: 'DEGRADED' }), down);
		expect(change?.cause).toBe('TIMEOUT: No response within 1000 ms');
	});

	test('instances come and go', () => {
		expect(
			healthChanges(health({ instances: { a: 'UP', b: 'UP' } }), health({ instances: { b: 'UP', c: 'UP' } })),
		).toEqual([{ context: 'horses', what: 'instances', from: '2', to: '2', cause: 'gone: a; new: c' }]);
	});

	test('the registry is lost, and found again', () => {
		const lost = health({ stale: true }, 'connect ECONNREFUSED');
		expect(healthChanges(well, lost)).toEqual([
			{ context: 'horses', what: 'discovery', from: 'CURRENT', to: 'STALE', cause: 'connect ECONNREFUSED' },
			{ context: 'discovery', what: 'discovery', from: 'UP', to: 'DEGRADED', cause: 'connect ECONNREFUSED' },
		]);
		expect(healthChanges(lost, well).map(({ context, to }) => [context, to])).toEqual([
			['horses', 'CURRENT'],
			['discovery', 'UP'],
		]);
	});

	test('the registry lists no healthy instance of a service: the registry is not blamed', () => {
		expect(healthChanges(well, health({ unlisted: true }))).toEqual([
			{
				context: 'horses',
				what: 'discovery',
				from: 'CURRENT',
				to: 'UNLISTED',
				cause: 'the registry lists no healthy instance',
			},
		]);
	});

	test('a history that shows a service as unlisted shows that it is listed again, even if its status changes too', () => {
		const down = health({ status: 'DOWN', instances: { a: 'DOWN' } });
		const unlisted = health({ status: 'DOWN', instances: { a: 'DOWN' }, unlisted: true });
		const listed = { what: 'discovery', from: 'UNLISTED', to: 'CURRENT' };
		const [left] = healthChanges(down, unlisted);
		if (left === undefined) throw new Error('no change');
		const grouped = { ...left, context: 'members', contexts: ['members', 'horses'] };
		for (const shown of [left, grouped])
			expect(healthChanges(unlisted, well, [shown])).toEqual([
				expect.objectContaining({ context: 'horses', ...listed, cause: 'the registry lists it again' }),
				expect.objectContaining({ what: 'health', from: 'DOWN', to: 'UP' }),
			]);
		const failing = health({ status: 'DOWN', instances: { a: 'DOWN' }, database: 'DOWN', unlisted: true });
		expect(healthChanges(failing, well, [left])).toContainEqual(expect.objectContaining(listed));
	});

	test('a dependency fails and recovers: the change names it, and that the registry unlists the service is not repeated', () => {
		const problem = { reason: 'ERROR', message: 'Not ready; database: connection refused' } as const;
		const down = health({ status: 'DOWN', instances: { a: 'DOWN' }, database: 'DOWN', problem });
		const unlisted = health({
			status: 'DOWN',
			instances: { a: 'DOWN' },
			database: 'DOWN',
			problem,
			unlisted: true,
		});
		expect(healthChanges(well, down)).toEqual([
			{
				context: 'horses',
				instance: 'a',
				what: 'health',
				from: 'UP',
				to: 'DOWN',
				cause: 'ERROR: Not ready; database: connection refused',
				check: 'database',
			},
		]);
		expect(healthChanges(down, unlisted)).toEqual([]);
		expect(healthChanges(unlisted, health({ database: 'UP' }))).toEqual([
			{
				context: 'horses',
				what: 'health',
				from: 'DOWN',
				to: 'UP',
				cause: 'database: responds again',
				check: 'database',
			},
		]);
	});

	test('the revocation list is stale: the gateway names it, not the registry', () => {
		const gateway = (stale: boolean): CombinedHealth => ({
			status: 'UP',
			components: {
				gateway: {
					status: stale ? 'DEGRADED' : 'UP',
					version: '1',
					uptimeSeconds: 1,
					draining: false,
					eventLoopDelayMs: 0,
					memoryBytes: 1,
					revocations: { stale, ageSeconds: 0 },
					rateLimits: { keptIn: 'memory' },
					otherGateways: [],
					breakerOverrides: { storedIn: 'memory', stale: false },
				},
			},
		});
		expect(healthChanges(gateway(false), gateway(true))).toEqual([
			expect.objectContaining({ context: 'gateway', cause: 'the list of revoked tokens is stale' }),
		]);
	});

	test('a recovery is distinguished from a failure', () => {
		const down = health({ status: 'DOWN', instances: { a: 'DOWN' }, stale: true }, 'connect ECONNREFUSED');
		expect(healthChanges(well, down).map(isRecovery)).toEqual([false, false, false]);
		expect(healthChanges(down, well).map(isRecovery)).toEqual([true, true, true]);
		expect(healthChanges(well, health({ instances: {} })).map(isRecovery)).toEqual([false]);
		expect(healthChanges(health({ instances: {} }), well).map(isRecovery)).toEqual([true]);
	});

	test('a component is there for the first time: that is no change', () => {
		expect(healthChanges({ status: 'UP', components: {} }, well)).toEqual([]);
	});
});
