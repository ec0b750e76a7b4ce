import { expect, test } from '@jest/globals';
import { createRestartDelay } from './retry-loop.ts';

test('the restart delay doubles up to its maximum and is reset after a minute of uptime', () => {
	const nextDelayMs = createRestartDelay({ backoffMinMs: 500, backoffMaxMs: 30_000, random: () => 1 });
	const pauses = Array.from({ length: 9 }, () => nextDelayMs(10));
	expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
	expect(nextDelayMs(59_999)).toBe(30_000);
	expect(nextDelayMs(60_000)).toBe(500);
	expect(nextDelayMs(10)).toBe(1_000);
});
