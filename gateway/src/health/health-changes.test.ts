import { describe, expect, test } from '@jest/globals';
import type { CombinedHealth } from './combined-health.ts';
import { healthChanges } from './health-changes.ts';
import type { HealthStatus, ServiceHealth } from './health-schemas.ts';
import type { ProbeResult } from './probe.ts';

interface Made {
	status?: HealthStatus;
	instances?: Record<string, HealthStatus>;
	stale?: boolean;
	trouble?: Pick<ProbeResult, 'reason' | 'message'>;
}

function service({
	status = 'UP',
	instances = { a: 'UP' },
	stale = false,
	trouble = {},
}: Made): ServiceHealth {
	return {
		status,
		critical: true,
		...trouble,
		instances: Object.entries(instances).map(([id, state]) => ({
			id,
			address: 'h:1',
			status: state,
			latencyMs: 1,
			inFlight: 0,
			breaker: { state: 'CLOSED', since: new Date(0), failureRate: undefined, nextTryAt: undefined },
		})),
		discovery: { stale, ageSeconds: 0, rejected: 0 },
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

const well = health({});

describe('from one round to the next', () => {
	test('nothing has changed: nothing is told', () => {
		expect(healthChanges(well, health({}))).toEqual([]);
	});

	test('a service goes down: with reason, message and the instance', () => {
		const trouble = { reason: 'TIMEOUT', message: 'No response within 1000 ms' } as const;
		expect(healthChanges(well, health({ status: 'DOWN', instances: { a: 'DOWN' }, trouble }))).toEqual([
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

	test('a component is there for the first time: that is no change', () => {
		expect(healthChanges({ status: 'UP', components: {} }, well)).toEqual([]);
	});
});
