import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Upstream } from '../upstream/upstream.ts';
import { observeSilentInstances } from './silent-instances.ts';

let now: number;
let isOut: boolean;
let upstream: Pick<Upstream, 'breaker' | 'respondedAt' | 'failedAt'>;
let observe: ReturnType<typeof observeSilentInstances>;

beforeEach(() => {
	now = 100_000;
	isOut = false;
	const breaker = {
		trip: () => {
			isOut = true;
		},
		reset: () => {
			isOut = false;
		},
	};
	upstream = { breaker: breaker as never, respondedAt: undefined, failedAt: undefined };
	observe = observeSilentInstances(() => now);
});

/** Probes of a second each. */
function probe(responded: boolean | undefined, times = 1): boolean {
	let isUndecided = false;
	for (let time = 0; time < times; time += 1) {
		const startedAt = now;
		now += 1_000;
		isUndecided = observe(upstream, { responded, startedAt });
	}
	return isUndecided;
}

describe('an instance that does not respond to probes', () => {
	test('is left out after the third one, until one gets a response', () => {
		expect([probe(false), isOut]).toEqual([true, false]);
		expect([probe(false), isOut]).toEqual([true, false]);
		expect([probe(false), isOut]).toEqual([false, true]);
		expect([probe(false), isOut]).toEqual([false, true]);
		expect([probe(true), isOut]).toEqual([false, false]);
		expect([probe(false, 2), isOut]).toEqual([true, false]);
	});

	test('is not left out by probes that follow each other closely', () => {
		for (let time = 0; time < 50; time += 1) observe(upstream, { responded: false, startedAt: now });
		expect(isOut).toBe(false);
		now += 2_000;
		observe(upstream, { responded: false, startedAt: now });
		expect(isOut).toBe(true);
	});

	test('is not left out by failures with responses between them, or while the gateway stood still', () => {
		for (let time = 0; time < 10; time += 1) {
			probe(false, 2);
			probe(true);
		}
		probe(undefined, 10);
		expect(isOut).toBe(false);
	});

	test('is left out, although requests got responses before', () => {
		upstream.respondedAt = now - 1;
		probe(false, 3);
		expect(isOut).toBe(true);
	});

	test('is not left out while requests get responses, however long', () => {
		for (let time = 0; time < 20; time += 1) {
			upstream.respondedAt = now + 500;
			probe(false);
		}
		expect(isOut).toBe(false);
		// Few requests: it has proved that only its probes fail.
		probe(false, 20);
		expect(isOut).toBe(false);
	});

	test('is left out when requests fail as well, some time after the last response', () => {
		probe(false);
		upstream.respondedAt = now;
		probe(false, 4);
		upstream.failedAt = now;
		expect(isOut).toBe(false);
		upstream.respondedAt = now - 500;
		probe(false);
		expect(isOut).toBe(false);
		probe(false);
		expect(isOut).toBe(true);
	});

	test('is used again when a request gets a response, e.g. one from before', () => {
		probe(false, 3);
		upstream.respondedAt = now;
		probe(false);
		expect(isOut).toBe(false);
	});
});
