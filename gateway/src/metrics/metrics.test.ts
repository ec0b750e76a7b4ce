import { expect, test } from '@jest/globals';
import { readOwnContracts } from '../contexts/contracts.ts';
import { createGatewayMetrics } from './metrics.ts';

// Regression: reading the metrics as JSON, as the primary process does, adds a label to the series, and the removal threw.
test('a detached service leaves no series, also after its metrics were read', async () => {
	const { contexts } = await readOwnContracts();
	const metrics = createGatewayMetrics({ contexts, ratePolicies: [] });
	metrics.countFailure('ping-service', 'TIMEOUT');
	metrics.countRetry('ping-service', 'TIMEOUT');
	const upstreams = async () => {
		const found = await metrics.registry.getMetricsAsJSON();
		return new Set(found.flatMap(({ values }) => values.map(({ labels }) => Object(labels).upstream)));
	};
	expect(await upstreams()).toContain('ping-service');
	metrics.follow(contexts.filter(({ name }) => name !== 'ping'));
	// Counters are read asynchronously.
	await new Promise(setImmediate);
	const after = await upstreams();
	expect(after).not.toContain('ping-service');
	expect(after).toContain('horses-service');
});
