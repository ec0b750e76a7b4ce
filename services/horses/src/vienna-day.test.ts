import { expect, test } from '@jest/globals';
import { viennaDay, yearOf } from './vienna-day.ts';

test.each([
	['2026-05-01T21:59:59.999Z', '2026-05-01'],
	['2026-05-01T22:00:00Z', '2026-05-02'],
	['2025-12-31T22:59:59Z', '2025-12-31'],
	['2025-12-31T23:00:00Z', '2026-01-01'],
	['2026-10-25T22:59:59Z', '2026-10-25'],
	['2026-10-25T23:00:00Z', '2026-10-26'],
])('at %s it is %s in Vienna', (instant, day) => {
	expect(viennaDay(new Date(instant))).toBe(day);
	expect(yearOf(day)).toBe(Number(day.split('-')[0]));
});
