import { expect, test } from '@jest/globals';
import { createSettableRegistry } from '@paddock/testing';
import { openOtherGateways } from './other-gateways.ts';
import { scrapeTargets } from './scrape-targets.ts';

// Kubernetes names an instance like its pod.
test('the gateway lists itself once, whatever its id in the registry', () => {
	const registry = createSettableRegistry({});
	registry.set('gateway', ['http://10.0.0.1:8079', 'http://10.0.0.2:8079']);
	const gateways = openOtherGateways({
		registry,
		self: () => ({ id: 'gateway-10.0.0.1-8080', address: '10.0.0.1', port: 8079 }),
		opsPrefix: '/actuator',
		timeoutMs: 1_000,
		tls: undefined,
	});
	const targets = scrapeTargets({ contexts: [], table: { upstreams: () => [] }, gateways }, '/actuator');
	expect(targets.flatMap(({ targets: addresses }) => addresses)).toEqual(['10.0.0.1:8079', '10.0.0.2:8079']);
	gateways.close();
});
