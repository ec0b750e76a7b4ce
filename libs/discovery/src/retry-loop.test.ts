import { expect, test } from '@jest/globals';
import { consulDefaults } from './consul-settings.ts';
import { backoffMs } from './retry-loop.ts';
import { nextIndex } from './service-watch.ts';

test('the back-off doubles up to its maximum and draws the upper half at random', () => {
	const limits = { backoffMinMs: 200, backoffMaxMs: 5_000 };
	const pauses = (random: number) =>
		[1, 2, 3, 5, 6, 2_000].map((failures) => backoffMs(failures, { ...limits, random: () => random }));
	expect(pauses(1)).toEqual([200, 400, 800, 3_200, 5_000, 5_000]);
	expect(pauses(0)).toEqual([100, 200, 400, 1_600, 2_500, 2_500]);
});

test('an index that went backwards or is not above 0 is forgotten', () => {
	expect([nextIndex(0n, 5n), nextIndex(5n, 5n), nextIndex(5n, 9n)]).toEqual([5n, 5n, 9n]);
	expect([nextIndex(5n, 4n), nextIndex(5n, 0n), nextIndex(0n, -1n)]).toEqual([0n, 0n, 0n]);
});

test('by default a frozen Consul shows within half a minute and is asked less than twice a second', () => {
	expect(consulDefaults.waitMs * 1.1 + 1_000).toBeLessThan(30_000);
	expect(consulDefaults.pauseMs).toBeGreaterThan(500);
});
