import { describe, expect, test } from '@jest/globals';
import { hasPlace, promoted } from './waiting-list.ts';

const free = (
	entries: number | null,
	starts: Record<string, number | null>,
	boxes: number | null = null,
) => ({
	entries,
	boxes,
	starts: new Map(Object.entries(starts)),
});
const waits = (id: string, ...competitionIds: string[]) => ({ id, competitionIds, boxes: 0 });

describe('an entry has a place', () => {
	test.each([
		['in an event and a competition with free places', free(1, { a: 1 }), ['a'], true],
		['without limits', free(null, { a: null }), ['a'], true],
		['not in a full event', free(0, { a: 5 }), ['a'], false],
		['not in an event that has more than it now may', free(-2, { a: 5 }), ['a'], false],
		['not with one of its competitions full', free(9, { a: 3, b: 0 }), ['a', 'b'], false],
		['not in a competition without places', free(9, { a: 3 }), ['b'], false],
	])('%s', (_case, places, ids, expected) => {
		expect(hasPlace(places, ids)).toBe(expected);
	});
});

test.each([
	[2, 2, true],
	[1, 2, false],
	[null, 10, true],
	// The maximum was lowered below what has been given away.
	[-1, 0, true],
	[-1, 1, false],
])('of %p boxes %p are wanted', (left, wanted, expected) => {
	expect(hasPlace(free(9, { a: 9 }, left), ['a'], wanted)).toBe(expected);
});

test('one that wants more boxes than are left is skipped, and the boxes of others are counted', () => {
	const waiting = [
		{ ...waits('1', 'a'), boxes: 3 },
		{ ...waits('2', 'a'), boxes: 2 },
		{ ...waits('3', 'a'), boxes: 1 },
		waits('4', 'a'),
	];
	expect(promoted(waiting, free(9, { a: 9 }, 2))).toEqual(['2', '4']);
});

describe('the waiting list moves up', () => {
	test.each([
		[
			'in order, as far as the event has places',
			[waits('1', 'a'), waits('2', 'a'), waits('3', 'a')],
			free(2, { a: 9 }),
			['1', '2'],
		],
		['as far as the competition has places', [waits('1', 'a'), waits('2', 'a')], free(9, { a: 1 }), ['1']],
		[
			'past one whose competition is full',
			[waits('1', 'a', 'b'), waits('2', 'a')],
			free(9, { a: 1, b: 0 }),
			['2'],
		],
		[
			'but not before one that gets the last place',
			[waits('1', 'a', 'b'), waits('2', 'a')],
			free(9, { a: 1, b: 1 }),
			['1'],
		],
		[
			'entirely where nothing is limited',
			[waits('1', 'a'), waits('2', 'b')],
			free(null, { a: null, b: null }),
			['1', '2'],
		],
		['not at all in a full event', [waits('1', 'a')], free(0, { a: 1 }), []],
	])('%s', (_case, waiting, places, expected) => {
		expect(promoted(waiting, places)).toEqual(expected);
	});
});
