import { expect, test } from '@jest/globals';
import { dayInVienna, timeInVienna } from './zoned-time.ts';

test.each([
	['2026-01-01T22:59:59Z', '2026-01-01'],
	['2026-07-01T22:00:00Z', '2026-07-02'],
	['2026-05-01T21:59:59.999Z', '2026-05-01'],
	['2026-05-01T22:00:00Z', '2026-05-02'],
	['2025-12-31T22:59:59Z', '2025-12-31'],
	['2025-12-31T23:00:00Z', '2026-01-01'],
	['2026-10-25T22:59:59Z', '2026-10-25'],
	['2026-10-25T23:00:00Z', '2026-10-26'],
])('at %s it is %s in Vienna', (instant, day) => {
	expect(dayInVienna(new Date(instant))).toBe(day);
});

test('a time is shown in Vienna’s local time, in summer and in winter', () => {
	expect(timeInVienna(new Date('2026-05-01T21:59:00Z'))).toBe('1 May 2026 at 23:59 (Vienna)');
	expect(timeInVienna(new Date('2026-12-01T22:59:00Z'))).toBe('1 December 2026 at 23:59 (Vienna)');
});
