import { expect, test } from '@jest/globals';
import { pageOf } from './pagination.ts';

test.each([
	[{ size: 10, offset: 0 }, 0, { page: 1, totalPages: 0, hasNext: false, hasPrevious: false }],
	[{ size: 10, offset: 0 }, 10, { page: 1, totalPages: 1, hasNext: false, hasPrevious: false }],
	[{ size: 10, offset: 0 }, 11, { page: 1, totalPages: 2, hasNext: true, hasPrevious: false }],
	[{ size: 10, offset: 10 }, 11, { page: 2, totalPages: 2, hasNext: false, hasPrevious: true }],
	[{ size: 10, offset: 15 }, 26, { page: 2, totalPages: 3, hasNext: true, hasPrevious: true }],
	[{ size: 10, offset: 90 }, 11, { page: 10, totalPages: 2, hasNext: false, hasPrevious: true }],
])('%j of %d rows', (request, totalElements, expected) => {
	const { items, pagination } = pageOf(['row'], totalElements, request);
	expect(items).toEqual(['row']);
	expect(pagination).toEqual({ size: request.size, totalElements, ...expected });
});
