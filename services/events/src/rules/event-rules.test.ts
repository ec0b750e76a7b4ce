import { describe, expect, test } from '@jest/globals';
import { tooSmallGaps } from './catalogue.ts';
import {
	deadlineDay,
	easterSunday,
	isWorkingDay,
	judgeEvent,
	type RuledEvent,
	workingDayFrom,
} from './event-rules.ts';

test('holidays of Austria', () => {
	expect([2024, 2025, 2026, 2027, 2038].map(easterSunday)).toEqual([
		'2024-03-31',
		'2025-04-20',
		'2026-04-05',
		'2027-03-28',
		'2038-04-25',
	]);
	const holidays = ['2026-04-06', '2026-05-14', '2026-05-25', '2026-06-04', '2026-10-26', '2026-12-25'];
	expect(holidays.filter(isWorkingDay)).toEqual([]);
	expect(workingDayFrom('2026-12-25')).toBe('2026-12-28');
});

// The third Monday before Friday, 12 June 2026 is Whit Monday.
test.each([
	['2026-06-12', 3, '2026-05-26'],
	['2026-06-12', 2, '2026-06-01'],
	['2026-10-23', 3, '2026-10-05'],
	['2026-10-19', 1, '2026-10-12'],
])('entries of an event from %s close on Monday no. %i before: %s', (startDate, weeks, day) => {
	expect(deadlineDay(startDate, weeks)).toBe(day);
});

const event: RuledEvent = {
	category: 'CSN-B',
	startDate: '2026-06-12',
	entryDeadline: new Date('2026-06-01T21:59:00Z'),
	venueTimeZone: 'Europe/Vienna',
	entryFee: 2_500,
	lateSurcharge: 2_500,
	stableFee: 9_000,
	swapFee: 1_500,
	currency: 'EUR',
};

describe('announcements', () => {
	const codes = (changes: Partial<RuledEvent>) =>
		judgeEvent({ ...event, ...changes }, []).map(({ rule: { code, paragraph } }) => `${code} ${paragraph}`);
	test.each<[string, Partial<RuledEvent>, readonly string[]]>([
		['within the rules', {}, []],
		['no deadline yet', { entryDeadline: null }, []],
		[
			'deadline after the second Monday',
			{ entryDeadline: new Date('2026-06-01T22:00:00Z') },
			['DEADLINE_TOO_LATE 27.1'],
		],
		['C: the day before', { category: 'CSN-C', entryDeadline: new Date('2026-06-11T17:00:00Z') }, []],
		[
			'C: the first day',
			{ category: 'CSN-C', entryDeadline: new Date('2026-06-12T06:00:00Z') },
			['DEADLINE_TOO_LATE 27.2'],
		],
		['an entry fee at the bound of B', { entryFee: 3_500 }, []],
		['an entry fee beyond it', { entryFee: 3_501 }, ['ENTRY_FEE_OUT_OF_BOUNDS E']],
		['an entry fee beyond C', { category: 'CSN-C', entryFee: 3_001 }, ['ENTRY_FEE_OUT_OF_BOUNDS E']],
		['an entry fee in eventing', { category: 'CCN-B', entryFee: 5_000 }, []],
		['an entry fee below the bound', { entryFee: 1_599 }, ['ENTRY_FEE_OUT_OF_BOUNDS E']],
		['no entry fee', { entryFee: 0 }, []],
		['a late surcharge beyond the bound', { lateSurcharge: 2_501 }, ['LATE_SURCHARGE_OUT_OF_BOUNDS 29.6']],
		[
			'C: the evening before',
			{ category: 'CSN-C', entryDeadline: new Date('2026-06-11T17:01:00Z') },
			['DEADLINE_TOO_LATE 27.2'],
		],
		['an entry fee in another currency', { currency: 'CHF', entryFee: 9_000 }, []],
		['a swap fee beyond the bound', { swapFee: 1_501 }, ['SWAP_FEE_OUT_OF_BOUNDS E']],
		['a box beyond the bound', { stableFee: 13_001 }, ['BOX_FEE_OUT_OF_BOUNDS E']],
	])('%s', (_name, changes, expected) => {
		expect(codes(changes)).toEqual(expected);
	});
});

test('six horses lie between two starts of a rider', () => {
	const order = (...places: readonly number[]) =>
		Array.from({ length: 15 }, (_, index) => (places.includes(index + 1) ? 'rider' : `other ${index}`));
	expect(tooSmallGaps(order(1, 8, 15))).toEqual([]);
	expect(tooSmallGaps(order(1, 7, 14))).toEqual([7]);
	// Four horses among 15 starters: three others between them are possible.
	expect(tooSmallGaps(order(1, 5, 9, 13))).toEqual([]);
	expect(tooSmallGaps(order(1, 4, 9, 13))).toEqual([4]);
});
