import { expect, test } from '@jest/globals';
import { pageOf } from './pagination.ts';

test.each([
	[0, 0, undefined, { page: 1, totalPages: 0, hasNext: false, hasPrevious: false }],
	[0, 10, undefined, { page: 1, totalPages: 1, hasNext: false, hasPrevious: false }],
	[0, 11, 'next', { page: 1, totalPages: 2, hasNext: true, hasPrevious: false }],
	[10, 11, undefined, { page: 2, totalPages: 2, hasNext: false, hasPrevious: true }],
	[15, 26, 'next', { page: 2, totalPages: 3, hasNext: true, hasPrevious: true }],
	[90, 11, undefined, { page: 10, totalPages: 2, hasNext: false, hasPrevious: true }],
])('after %d of %d rows', (before, totalElements, nextCursor, expected) => {
	const result = { before, totalElements, totalIsExact: true, nextCursor };
	const { items, pagination } = pageOf(['row'], 10, result);
	expect(items).toEqual(['row']);
	const whole = { size: 10, totalElements, totalIsExact: true, nextCursor: nextCursor ?? null, ...expected };
	expect(pagination).toEqual(whole);
});
