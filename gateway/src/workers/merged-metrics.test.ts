import { expect, test } from '@jest/globals';
import { Counter, Registry } from 'prom-client';
import { createMergedMetrics } from './merged-metrics.ts';

const counted = (count: number) => {
	const registry = new Registry();
	const counter = new Counter({
		...{ name: 'requests_total', help: 'Requests.', labelNames: ['upstream'], registers: [registry] },
	});
	for (const upstream of ['horses-service', 'farriers']) counter.inc({ upstream }, count);
	return registry;
};

// The counts of an exited worker kept the series of a detached service for ever.
test('series that are forgotten are not in the counts of workers that have exited, or exit later', async () => {
	const merged = createMergedMetrics();
	for (const worker of [1, 2, 3]) merged.keep(worker, await counted(worker).getMetricsAsJSON());
	merged.retire(1);
	expect(await (await merged.merge(new Registry())).metrics()).toContain('upstream="farriers"} 6');
	merged.forget('upstream', 'farriers');
	merged.retire(2);
	const text = await (await merged.merge(new Registry())).metrics();
	expect(text).toContain('upstream="horses-service"} 6');
	expect(text).not.toContain('farriers');
});
