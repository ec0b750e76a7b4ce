import { describe, expect, test } from '@jest/globals';
import { bearerToken } from './token-verifier.ts';

describe('bearerToken', () => {
	test('returns the token of the scheme Bearer, in any case and after any number of blanks', () => {
		expect(bearerToken('Bearer a.b-c_d.e')).toBe('a.b-c_d.e');
		expect(bearerToken('bEARER   abc==')).toBe('abc==');
	});

	test('finds nothing without a header', () => {
		expect(bearerToken(undefined)).toBeUndefined();
	});

	test.each([
		'Bearer',
		'Bearer ',
		'bearer',
		'Bearer abc ',
		'Bearer a b',
		'Bearer abc, Bearer def',
		'Bearer\tabc',
		'Bearer a\nb',
		'Bearer "abc"',
		'Bearer a=b',
		'Bearer ä',
	])('refuses %j as an invalid token', (header) => {
		expect(() => bearerToken(header)).toThrow(
			expect.objectContaining({ code: 'INVALID_TOKEN', status: 401 }),
		);
	});

	test.each(['', 'Basic YTpi', 'abc', 'Bearerabc', 'Bearer-x abc', ' Bearer abc'])(
		'refuses %j, which has no bearer credentials, without an error code',
		(header) => {
			expect(() => bearerToken(header)).toThrow(
				expect.objectContaining({
					code: 'UNAUTHENTICATED',
					message: expect.stringContaining('Authorization: Bearer'),
					headers: { 'WWW-Authenticate': 'Bearer' },
				}),
			);
		},
	);
});
