import { expect, test } from '@jest/globals';
import { consulDefaults } from './consul-access.ts';
import { nextIndex } from './consul-registry.ts';

test('an index that went backwards or is not above 0 is forgotten', () => {
	expect([nextIndex(0n, 5n), nextIndex(5n, 5n), nextIndex(5n, 9n)]).toEqual([5n, 5n, 9n]);
	expect([nextIndex(5n, 4n), nextIndex(5n, 0n), nextIndex(0n, -1n)]).toEqual([0n, 0n, 0n]);
});

test('by default a frozen Consul is detected within half a minute, and queries are less than two per second', () => {
	expect(consulDefaults.waitMs * 1.1 + 1_000).toBeLessThan(30_000);
	expect(consulDefaults.pauseMs).toBeGreaterThan(500);
});
