import { expect, test } from '@jest/globals';
import { databaseOutage } from './database-errors.ts';

function databaseError(code: string): Error {
	return Object.assign(new Error('as the server says it'), { code, severity: 'ERROR' });
}

test.each([
	['cannot connect now', '57P03'],
	['a deadlock', '40P01'],
	['a serialization failure', '40001'],
])('%s gets 503 with Retry-After', (_name, code) => {
	const cause = databaseError(code);
	expect(databaseOutage(cause)).toMatchObject({
		code: 'SERVICE_UNAVAILABLE',
		status: 503,
		headers: { 'Retry-After': '2', 'X-Failed-Part': 'database' },
		cause,
	});
});

test.each([
	['a unique violation', databaseError('23505')],
	['a syntax error', databaseError('42601')],
	['an error of something else', new Error('other')],
])('%s is not', (_name, error) => {
	expect(databaseOutage(error)).toBeUndefined();
});
