import { beforeEach, describe, expect, test } from '@jest/globals';
import type { BreakerState } from '@paddock/resilience';
import { createMovingClock, type MovingClock } from '@paddock/testing';
import { Registry } from 'prom-client';
import { countOpenSeconds } from './breaker-open-seconds.ts';

let clock: MovingClock;
let registry: Registry;
let states: BreakerState[];
let settle: () => void;

beforeEach(() => {
	clock = createMovingClock();
	registry = new Registry();
	states = ['CLOSED', 'CLOSED'];
	settle = countOpenSeconds({
		registry,
		now: clock.now,
		upstreams: () =>
			states.map((state) => ({
				service: 'horses-service',
				breaker: {
					admits: () => false,
					admit: () => undefined,
					view: () => ({ state, since: clock.now(), failureRate: undefined, nextTryAt: undefined }),
					close: () => {},
				},
			})),
	});
});

async function seconds(): Promise<number> {
	const read = await registry.getSingleMetric('gateway_circuit_breaker_opened_seconds_total')?.get();
	return (read?.values ?? []).reduce((sum, { value }) => sum + value, 0);
}

function become(...next: BreakerState[]): void {
	states = next;
	settle();
}

describe('the time that breakers are open', () => {
	test('counts from opening to closing, even without a reading in between', async () => {
		clock.advance(5_000);
		become('OPEN', 'CLOSED');
		clock.advance(10_000);
		become('HALF_OPEN', 'CLOSED');
		clock.advance(3_000);
		become('CLOSED', 'CLOSED');
		clock.advance(60_000);
		expect(await seconds()).toBe(10);
	});

	test('counts while one is open, at each reading to the moment', async () => {
		become('OPEN', 'CLOSED');
		clock.advance(2_000);
		expect(await seconds()).toBe(2);
		clock.advance(1_500);
		expect(await seconds()).toBe(3.5);
	});

	test('counts each instance', async () => {
		become('OPEN', 'CLOSED');
		clock.advance(1_000);
		become('OPEN', 'OPEN');
		clock.advance(1_000);
		expect(await seconds()).toBe(3);
	});

	test('ends when the instance is removed', async () => {
		become('OPEN', 'CLOSED');
		clock.advance(1_000);
		become('CLOSED');
		clock.advance(10_000);
		expect(await seconds()).toBe(1);
	});
});
