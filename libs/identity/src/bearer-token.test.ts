import { describe, expect, test } from '@jest/globals';
import { bearerToken } from './bearer-token.ts';

describe('bearerToken', () => {
	test('takes the token of the scheme Bearer, in any case and after any number of blanks', () => {
		expect(bearerToken('Bearer a.b-c_d.e')).toBe('a.b-c_d.e');
		expect(bearerToken('bEARER   abc==')).toBe('abc==');
	});

	test('finds nothing without a header', () => {
		expect(bearerToken(undefined)).toBeUndefined();
	});

	test.each([
		'',
		'Bearer',
		'Bearer ',
		'Basic YTpi',
		'abc',
		'Bearerabc',
		' Bearer abc',
		'Bearer abc ',
		'Bearer a b',
		'Bearer abc, Bearer def',
		'Bearer\tabc',
		'Bearer a\nb',
		'Bearer "abc"',
		'Bearer a=b',
		'Bearer ä',
	])('refuses %j', (header) => {
		expect(() => bearerToken(header)).toThrow(
			expect.objectContaining({ code: 'INVALID_TOKEN', status: 401 }),
		);
	});
});
