import { expect, test } from '@jest/globals';
import { backoffMs } from './retry-loop.ts';

test('the back-off doubles up to its maximum; its upper half is random', () => {
	const limits = { backoffMinMs: 200, backoffMaxMs: 5_000 };
	const pauses = (random: number) =>
		[1, 2, 3, 5, 6, 2_000].map((failures) => backoffMs(failures, { ...limits, random: () => random }));
	expect(pauses(1)).toEqual([200, 400, 800, 3_200, 5_000, 5_000]);
	expect(pauses(0)).toEqual([100, 200, 400, 1_600, 2_500, 2_500]);
});
