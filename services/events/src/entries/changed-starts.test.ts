import { expect, test } from '@jest/globals';
import { changedStarts } from './change-starts.ts';

const start = (competitionId: string, status: 'ACCEPTED' | 'CANCELLED' = 'ACCEPTED') => ({
	competitionId,
	status,
});

test('distinguishes kept, added and removed starts', () => {
	expect(changedStarts([start('a'), start('b')], [start('b'), start('c')])).toEqual({
		kept: ['b'],
		added: ['c'],
		removed: ['a'],
	});
});

test('neither adds nor removes a start that was cancelled with its competition', () => {
	const present = [start('a'), start('x', 'CANCELLED')];
	const unchanged = { kept: ['a'], added: [], removed: [] };
	expect(changedStarts(present, [start('a')])).toEqual(unchanged);
	expect(changedStarts(present, [start('x'), start('a')])).toEqual(unchanged);
});
