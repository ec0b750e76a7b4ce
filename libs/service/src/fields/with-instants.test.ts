import { expect, test } from '@jest/globals';
import { withInstants } from './body-fields.ts';

test('instants become text in UTC, all other values stay', () => {
	const row = {
		at: new Date('2026-05-01T10:00:00+02:00'),
		endedAt: null as Date | null,
		day: '2026-05-01',
		n: 1,
	};
	expect(withInstants(row)).toEqual({ ...row, at: '2026-05-01T08:00:00.000Z' });
});
