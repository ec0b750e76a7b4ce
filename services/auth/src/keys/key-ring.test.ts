import { describe, expect, test } from '@jest/globals';
import { isRotationDue, type KeyTimes, publishedKeys, signsFromOf } from './key-ring.ts';

const policy = { rotationMs: 1_000, leadMs: 100, tokenMs: 300 };
const at = (ms: number) => new Date(ms);
const key = (kid: string, signsFromMs: number): KeyTimes => ({
	kid,
	createdAt: at(signsFromMs - 100),
	signsFrom: at(signsFromMs),
});
const ring = (keys: readonly KeyTimes[], ms: number) =>
	publishedKeys(keys, at(ms), policy).map((placed) => `${placed.key.kid} ${placed.state}`);

describe('the keys', () => {
	const [a, b, c] = [key('a', 1_000), key('b', 2_000), key('c', 2_200)];

	test.each([
		[1_000, ['a SIGNING', 'b NEXT', 'c NEXT']],
		[1_999, ['a SIGNING', 'b NEXT', 'c NEXT']],
		[2_000, ['a RETIRING', 'b SIGNING', 'c NEXT']],
		[2_200, ['a RETIRING', 'b RETIRING', 'c SIGNING']],
		[2_299, ['a RETIRING', 'b RETIRING', 'c SIGNING']],
		[2_300, ['b RETIRING', 'c SIGNING']],
		[2_500, ['c SIGNING']],
		[9_000, ['c SIGNING']],
	])('at %i ms', (ms, states) => {
		expect(ring([c, a, b], ms)).toEqual(states);
	});

	test('have one that signs even for an instance whose clock is behind the first key', () => {
		expect(ring([a, b], 999)).toEqual(['a SIGNING', 'b NEXT']);
	});

	test('have an end of publication once there is a later one', () => {
		expect(publishedKeys([a, b], at(1_500), policy).map((placed) => placed.publishedUntil)).toEqual([
			at(2_300),
			undefined,
		]);
	});
});

describe('a rotation', () => {
	test('is due without a key, and the first one signs at once', () => {
		expect(isRotationDue([], at(5), policy)).toBe(true);
		expect(signsFromOf([], at(5), policy)).toEqual(at(5));
	});

	test('is due a lead before the newest key has signed long enough', () => {
		const keys = [key('b', 2_000), key('a', 1_000)];
		expect(isRotationDue(keys, at(2_899), policy)).toBe(false);
		expect(isRotationDue(keys, at(2_900), policy)).toBe(true);
		expect(signsFromOf(keys, at(2_900), policy)).toEqual(at(3_000));
	});

	test('makes a key that signs after all others, also after one of an instance whose clock is ahead', () => {
		expect(signsFromOf([key('b', 3_500), key('a', 1_000)], at(2_900), policy)).toEqual(at(3_501));
	});
});
