import { describe, expect, test } from '@jest/globals';
import type { HealthReading } from './combined-health.ts';
import type { HealthStatus } from './health-schemas.ts';
import { createLatencySamples } from './latency-samples.ts';

const startMs = Date.parse('2026-01-01T00:00:00.000Z');

function reading(seconds: number, status: HealthStatus, latencyMs?: number): HealthReading {
	const discovery = { stale: false, unlisted: false, ageSeconds: 0, rejected: 0 };
	const auth = {
		status,
		critical: true,
		instances: [],
		discovery,
		...(latencyMs === undefined ? {} : { latencyMs }),
	};
	return { health: { status, components: { auth } }, at: new Date(startMs + seconds * 1_000) };
}

describe('latency samples', () => {
	test('a slot keeps its worst state and its slowest latency, whatever comes after them', () => {
		const samples = createLatencySamples({ slotMs: 10_000, slotsMax: 3 });
		samples.add(reading(0, 'UP', 4));
		samples.add(reading(3, 'DOWN'));
		samples.add(reading(6, 'DEGRADED', 9));
		samples.add(reading(9, 'UP', 2));
		expect(samples.read()).toEqual({ auth: [{ at: new Date(startMs), status: 'DOWN', latencyMs: 9 }] });
	});

	test('a slot without a measurement says so', () => {
		const samples = createLatencySamples({ slotMs: 10_000, slotsMax: 3 });
		samples.add(reading(1, 'DOWN'));
		expect(samples.read()['auth']).toEqual([{ at: new Date(startMs), status: 'DOWN', latencyMs: null }]);
	});

	test('the oldest slots make room for new ones', () => {
		const samples = createLatencySamples({ slotMs: 10_000, slotsMax: 3 });
		for (let slot = 0; slot < 10; slot += 1) samples.add(reading(slot * 10, 'UP', slot));
		expect(samples.read()['auth']?.map(({ latencyMs }) => latencyMs)).toEqual([7, 8, 9]);
	});

	test('a clock that is set back makes no slot twice', () => {
		const samples = createLatencySamples({ slotMs: 10_000, slotsMax: 3 });
		samples.add(reading(25, 'UP', 1));
		samples.add(reading(5, 'UP', 2));
		expect(samples.read()['auth']).toEqual([{ at: new Date(startMs + 20_000), status: 'UP', latencyMs: 2 }]);
	});

	test('one that is set back further begins anew', () => {
		const samples = createLatencySamples({ slotMs: 10_000, slotsMax: 3 });
		for (const seconds of [3_600, 3_610]) samples.add(reading(seconds, 'DOWN'));
		samples.add(reading(5, 'UP', 2));
		samples.add(reading(15, 'UP', 3));
		expect(samples.read()['auth']).toEqual([
			{ at: new Date(startMs), status: 'UP', latencyMs: 2 },
			{ at: new Date(startMs + 10_000), status: 'UP', latencyMs: 3 },
		]);
	});
});
