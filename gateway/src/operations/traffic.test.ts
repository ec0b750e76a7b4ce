import { expect, test } from '@jest/globals';
import { durationBucketsSeconds, silentLogger } from '@paddock/telemetry';
import { contractOfUnknown } from '../contexts/attached-contract.ts';
import { contextsFileSchema } from '../contexts/contexts-file.ts';
import { createGatewayMetrics } from '../metrics/metrics.ts';
import { openTraffic, quantile } from './traffic.ts';

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
	expect(quantile([], 0.5)).toBeUndefined();
});

// The counts of the removed route were subtracted from those of the others: requests were negative.
test('a route that a new contract removes takes no requests from the other routes of its context', async () => {
	const [entry] = contextsFileSchema.parse([
		{ name: 'farriers', prefix: '/api/farriers', service: 'farriers' },
	]);
	if (entry === undefined) throw new TypeError('There is no entry.');
	const { context } = contractOfUnknown(entry);
	const routes = ['/api/farriers/old', '/api/farriers/new'] as const;
	const [withBoth, withNew] = [
		{ ...context, paths: routes },
		{ ...context, paths: [routes[1]] },
	];
	const metrics = createGatewayMetrics({ contexts: [withBoth], ratePolicies: [] });
	const traffic = openTraffic({
		...{ scrape: async () => metrics.registry, contexts: [context] },
		...{ logger: silentLogger(), now: () => new Date() },
	});
	const request = (route: string, status = 200) =>
		metrics.observeRequest({ route, method: 'GET', status }, 3);
	for (let sent = 0; sent < 5; sent += 1) request(routes[0], 503);
	request(routes[1]);
	await traffic.settle();
	metrics.follow([withNew]);
	for (let sent = 0; sent < 2; sent += 1) request(routes[1]);
	await traffic.settle();
	metrics.follow([withBoth]);
	for (let sent = 0; sent < 3; sent += 1) request(routes[0], 503);
	await traffic.settle();
	// It is removed and returns within one interval.
	metrics.follow([withNew]);
	metrics.follow([withBoth]);
	request(routes[0], 503);
	await traffic.settle();
	expect(traffic.read()['farriers']).toMatchObject([
		{ requests: 6, errors: 5 },
		{ requests: 2, errors: 0, p50Ms: expect.any(Number) },
		{ requests: 3, errors: 3 },
		{ requests: 1, errors: 1 },
	]);
	traffic.close();
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
