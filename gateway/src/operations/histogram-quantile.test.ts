import { expect, test } from '@jest/globals';
import { difference, quantile } from './histogram-quantile.ts';

const infinity = Number.POSITIVE_INFINITY;
const buckets = [
	{ upTo: 1, count: 10 },
	{ upTo: 2, count: 30 },
	{ upTo: 4, count: 40 },
	{ upTo: infinity, count: 40 },
];

test('a quantile is interpolated within its bucket', () => {
	expect([0.25, 0.5, 0.75, 0.875, 1].map((share) => quantile(buckets, share))).toEqual([1, 1.5, 2, 3, 4]);
});

test('a quantile above the highest bound is that bound', () => {
	const slow = [...buckets.slice(0, 3), { upTo: infinity, count: 100 }];
	expect(quantile(slow, 0.95)).toBe(4);
});

test('without an observation there is no quantile', () => {
	expect([quantile([], 0.5), quantile(difference(buckets, buckets), 0.5)]).toEqual([undefined, undefined]);
});

test('a series that appears between two readings counts from zero', () => {
	expect(difference(buckets, undefined)).toEqual(buckets);
});
