import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { parseInput } from './input.ts';
import { routesWith } from './route.ts';

const search = routesWith<object>('toys')({
	method: 'get',
	path: '/toys/search',
	operationId: 'searchToys',
	summary: 'For tests',
	access: 'public',
	message: 'Done',
	query: z.strictObject({ q: z.string(), colour: z.string() }),
	output: z.any(),
	handler: () => null,
});

test('a required parameter that cannot be decoded is invalid, not missing', () => {
	expect(() => parseInput(search, { params: {}, search: 'q=z%FCgel', body: undefined })).toThrow(
		expect.objectContaining({
			errors: [
				expect.objectContaining({ field: 'q', code: 'INVALID_FORMAT' }),
				expect.objectContaining({ field: 'colour', code: 'REQUIRED' }),
			],
		}),
	);
});
