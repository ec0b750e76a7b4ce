import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { bodyFields } from './body-fields.ts';

const fields = {
	name: z.string(),
	city: z.string().nullable(),
	isActive: z.boolean(),
	words: z.array(z.string()),
};
const body = z.strictObject(bodyFields(fields, { isActive: true, words: [] }));

test('a field that is left out gets its default, or null if it may be null', () => {
	expect(body.parse({ name: 'Alm' })).toEqual({ name: 'Alm', city: null, isActive: true, words: [] });
	expect(body.parse({ name: 'Alm', city: 'Au', isActive: false, words: ['a'] })).toEqual({
		name: 'Alm',
		city: 'Au',
		isActive: false,
		words: ['a'],
	});
});

test('a field without a default that may not be null is required', () => {
	expect(body.safeParse({ city: 'Au' }).error?.issues.map(({ path }) => path)).toEqual([['name']]);
	expect(z.strictObject(bodyFields(fields)).safeParse({ name: 'Alm', words: [] }).success).toBe(false);
});
