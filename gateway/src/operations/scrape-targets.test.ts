import { expect, test } from '@jest/globals';
import { createSettableRegistry } from '@paddock/testing';
import { createScrapeTargets } from './scrape-targets.ts';

// Kubernetes names an instance like its pod.
test('the gateway lists itself once, whatever its id in the registry', () => {
	const registry = createSettableRegistry({});
	registry.set('gateway', ['http://10.0.0.1:8079', 'http://10.0.0.2:8079']);
	const targets = createScrapeTargets({
		registry,
		contexts: [],
		table: { upstreams: () => [] },
		self: () => ({ id: 'gateway-10.0.0.1-8080', address: '10.0.0.1', port: 8079 }),
		opsPrefix: '/actuator',
	});
	expect(targets.list().flatMap(({ targets: addresses }) => addresses)).toEqual([
		'10.0.0.1:8079',
		'10.0.0.2:8079',
	]);
	targets.close();
});
