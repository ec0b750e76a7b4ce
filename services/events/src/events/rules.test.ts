import { describe, expect, test } from '@jest/globals';
import { type EntryTimes, entryWindow } from './rules.ts';

const times: EntryTimes = {
	status: 'PUBLISHED',
	entriesOpenAt: new Date('2026-04-01T06:00:00Z'),
	entryDeadline: new Date('2026-05-01T21:59:00Z'),
	lateEntryUntil: new Date('2026-05-08T10:00:00Z'),
};

describe('entries are accepted', () => {
	test.each([
		['before they open', '2026-04-01T05:59:59.999Z', 'NOT_YET'],
		['from the moment they open', '2026-04-01T06:00:00Z', 'REGULAR'],
		['until the deadline itself', '2026-05-01T21:59:00Z', 'REGULAR'],
		['a millisecond after it', '2026-05-01T21:59:00.001Z', 'LATE'],
		['until the late deadline itself', '2026-05-08T10:00:00Z', 'LATE'],
		['after that', '2026-05-08T10:00:00.001Z', 'CLOSED'],
	])('%s', (_case, now, expected) => {
		expect(entryWindow(times, new Date(now))).toBe(expected);
	});

	test.each([
		['a draft', { status: 'DRAFT' }, 'NOT_YET'],
		['a completed one', { status: 'COMPLETED' }, 'CLOSED'],
		['a cancelled one', { status: 'CANCELLED' }, 'CLOSED'],
		['one without an opening', { entriesOpenAt: null }, 'REGULAR'],
		['one without a deadline', { entryDeadline: null, lateEntryUntil: null }, 'CLOSED'],
	] satisfies [string, Partial<EntryTimes>, string][])('%s', (_case, changes, expected) => {
		expect(entryWindow({ ...times, ...changes }, new Date('2026-04-10T00:00:00Z'))).toBe(expected);
	});

	test('until the deadline only, without late entries', () => {
		const after = new Date('2026-05-02T00:00:00Z');
		expect(entryWindow({ ...times, lateEntryUntil: null }, after)).toBe('CLOSED');
	});
});

// Vienna leaves summer time on 25 October 2026 at 03:00, so 23:59 is 21:59 UTC the day before and 22:59 UTC that day.
describe('a deadline of 23:59 in Vienna', () => {
	test.each([
		['2026-10-24', '2026-10-24T21:59:00Z'],
		['2026-10-25', '2026-10-25T22:59:00Z'],
	])('on %s is exact to the minute', (_day, deadline) => {
		const entryDeadline = new Date(deadline);
		const event = { ...times, entryDeadline, lateEntryUntil: null };
		const at = (offsetMs: number) => entryWindow(event, new Date(entryDeadline.getTime() + offsetMs));
		expect([at(-60_000), at(0), at(1)]).toEqual(['REGULAR', 'REGULAR', 'CLOSED']);
	});
});
