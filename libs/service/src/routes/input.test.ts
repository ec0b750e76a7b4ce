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

test('where unknown parameters are ignored, they are in any number and encoding, and known ones are checked as ever', () => {
	const tolerant = { ...search, query: z.object({ colour: z.enum(['red', 'blue']).optional() }) };
	const queryOf = (text: string) => parseInput(tolerant, { params: {}, search: text, body: undefined }).query;
	const others = 'fbclid=a&fbclid=b&x%5B%5D=1&%FC=%FC&=&&y&__proto__=1&constructor=2&%00=%00&Colour=green';
	expect(queryOf(others)).toEqual({});
	expect(queryOf(`${others}&c%6Flour=red`)).toEqual({ colour: 'red' });
	for (const invalid of ['colour=green', 'colour=red&colour=red', 'colour=%FC', 'colour=', 'colour'])
		expect(() => queryOf(`${others}&${invalid}`)).toThrow(
			expect.objectContaining({
				errors: expect.arrayContaining([expect.objectContaining({ field: 'colour' })]),
			}),
		);
});
