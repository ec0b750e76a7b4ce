import { expect, test } from '@jest/globals';
import { certainDifference, certainPart } from './certain-difference.ts';

/** Durations above a value, in an order of their own for each step, one of them of a stall. */
const above = (value: number, noise: number, step: number) =>
	Array.from({ length: 300 }, (_, index) =>
		index === 7 ? 9_000 : value + noise * (((index + 1) * step) % 1),
	);
const [step, other] = [Math.SQRT2, Math.E];

test('a small difference is certain if the durations are steady', () => {
	expect(certainDifference(above(50, 1, step), above(45, 1, other)).certain).toBeGreaterThan(4);
	expect(certainDifference(above(45, 1, step), above(50, 1, other)).certain).toBeLessThan(-4);
});

test('noise is no difference, and hides none that is larger', () => {
	expect(certainDifference(above(50, 100, step), above(50, 100, other)).certain).toBe(0);
	expect(certainDifference(above(150, 100, step), above(50, 100, other)).certain).toBeGreaterThan(50);
});

test('a wide interval is reported', () => {
	const part = (noise: number) =>
		certainPart(above(50, noise, step), above(50, noise, other), { of: 50, limit: 0.01 });
	expect(part(1)).toEqual({ difference: 0, report: 'a difference of 0.0 % is certain' });
	expect(part(100).difference).toBe(0);
	expect(part(100).report).toMatch(/too busy to exclude one of up to [1-9]\d(\.\d) %$/);
});

test('a few pairs prove nothing', () => {
	expect(() => certainDifference([1, 2, 3], [1, 2, 3])).toThrow('3 pairs');
});
