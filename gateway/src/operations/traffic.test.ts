import { expect, test } from '@jest/globals';
import { durationBucketsSeconds } from '@paddock/telemetry';
import { difference, quantile } from './traffic.ts';

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

// Requests that had all ended after the response timeout of 5 s were shown as 7.5 and 9.75 s.
test.each([1, 1.5, 2, 5, 30])(
	'requests that all end after a time-out of %d s are shown near it',
	(timeoutS) => {
		const tookS = timeoutS + 0.003;
		const counted = [...durationBucketsSeconds, infinity].map((upTo) => ({
			upTo,
			count: upTo >= tookS ? 40 : 0,
		}));
		for (const share of [0.5, 0.95, 0.99]) {
			expect(quantile(counted, share)).toBeGreaterThanOrEqual(timeoutS);
			expect(quantile(counted, share)).toBeLessThanOrEqual(timeoutS * 1.1);
		}
	},
);
