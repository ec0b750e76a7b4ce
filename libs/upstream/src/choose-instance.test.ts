import { describe, expect, test } from '@jest/globals';
import { type Candidate, chooseInstance } from './instance-set.ts';

function upstream(id: string, options: { inFlight?: number; admits?: boolean } = {}): Candidate {
	const { inFlight = 0, admits = true } = options;
	const instance = { id, address: '127.0.0.1', port: 1, url: 'http://127.0.0.1:1' };
	return { instance, breaker: { admits: () => admits }, inFlight };
}

/** Numerical Recipes' linear congruential generator: the same numbers in every run. */
function seededRandom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

function counted(upstreams: readonly Candidate[], rounds: number, seed = 1): Record<string, number> {
	const random = seededRandom(seed);
	const counts: Record<string, number> = {};
	for (let round = 0; round < rounds; round += 1) {
		const id = chooseInstance(upstreams, undefined, random)?.instance.id ?? 'none';
		counts[id] = (counts[id] ?? 0) + 1;
	}
	return counts;
}

describe('choosing an instance', () => {
	test('of two, the one with fewer attempts in flight, always', () => {
		expect(counted([upstream('a', { inFlight: 3 }), upstream('b', { inFlight: 2 })], 200)).toEqual({
			b: 200,
		});
		expect(counted([upstream('a', { inFlight: 2 }), upstream('b', { inFlight: 3 })], 200)).toEqual({
			a: 200,
		});
	});

	test('of three, never the busiest, and both others', () => {
		const counts = counted(
			[upstream('a', { inFlight: 1 }), upstream('b', { inFlight: 9 }), upstream('c', { inFlight: 1 })],
			600,
		);
		expect(Object.keys(counts).sort()).toEqual(['a', 'c']);
		expect(Math.min(...Object.values(counts))).toBeGreaterThan(200);
	});

	test('spreads evenly over instances that are equally busy', () => {
		const counts = counted(
			['a', 'b', 'c', 'd'].map((id) => upstream(id)),
			4_000,
		);
		for (const id of ['a', 'b', 'c', 'd']) expect(Math.abs((counts[id] ?? 0) - 1_000)).toBeLessThan(150);
	});

	test('leaves out instances whose breaker admits nothing, even when they are the least busy', () => {
		const upstreams = [upstream('a', { admits: false }), upstream('b', { inFlight: 50 })];
		expect(counted(upstreams, 100)).toEqual({ b: 100 });
	});

	test('leaves out the instance that was tried', () => {
		const [a, b] = [upstream('a'), upstream('b', { inFlight: 50 })];
		expect(chooseInstance([a, b], a, seededRandom(1))).toBe(b);
	});

	test('no instance if all breakers are open, all were tried or none is known', () => {
		const [open, tried] = [upstream('a', { admits: false }), upstream('b')];
		expect(chooseInstance([open, tried], tried, Math.random)).toBeUndefined();
		expect(chooseInstance([], undefined, Math.random)).toBeUndefined();
	});

	test('random numbers at the ends of their range choose two different ones', () => {
		const upstreams = [upstream('a', { inFlight: 1 }), upstream('b'), upstream('c', { inFlight: 1 })];
		for (const value of [0, 0.999_999_999]) {
			expect(chooseInstance(upstreams, undefined, () => value)?.instance.id).toBeDefined();
			expect(chooseInstance(upstreams.slice(0, 2), undefined, () => value)?.instance.id).toBe('b');
		}
	});
});
