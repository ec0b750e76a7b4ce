import { describe, expect, test } from '@jest/globals';
import { apiError, commonErrors } from './common-errors.ts';
import { errorEnvelope, errorFactory, errorTable, successEnvelope } from './failure.ts';

const now = new Date('2026-05-01T10:00:00Z');

test('an envelope has four keys, whatever its data', () => {
	for (const data of [null, [], {}, 0, 'x'])
		expect(Object.entries(successEnvelope(data, 'Done', now))).toEqual([
			['success', true],
			['data', data],
			['message', 'Done'],
			['timestamp', '2026-05-01T10:00:00.000Z'],
		]);
	expect(Object.keys(errorEnvelope(apiError('NOT_FOUND').toData('r'), 'No', now))).toEqual([
		'success',
		'data',
		'message',
		'timestamp',
	]);
});

describe('a failure', () => {
	test('has the status and the message of its table, or a message of its own', () => {
		expect(apiError('NOT_FOUND')).toMatchObject({ code: 'NOT_FOUND', ...commonErrors.NOT_FOUND });
		expect(apiError('NOT_FOUND', { message: 'No such venue.' })).toMatchObject({
			status: 404,
			message: 'No such venue.',
		});
		expect(() => errorFactory({})('NOPE' as never)).toThrow(TypeError);
	});

	test('is declared under its status', () => {
		const fail = errorFactory(
			errorTable({ 409: { SOLD: 'Sold.', TAKEN: 'Taken.' }, 422: { BENT: 'Bent.' } }),
		);
		expect([fail('SOLD'), fail('TAKEN'), fail('BENT')].map(({ code, status }) => [code, status])).toEqual([
			['SOLD', 409],
			['TAKEN', 409],
			['BENT', 422],
		]);
	});

	test('never includes its cause', () => {
		const failure = apiError('CONFLICT', { cause: new Error('s3cret') });
		expect(JSON.stringify([failure.toData('r'), failure.message])).not.toContain('s3cret');
		expect(failure.cause).toMatchObject({ message: 's3cret' });
	});

	test('includes its context beside its own keys, never in their place', () => {
		const context = { status: 'SOLD', code: 'X', requestId: 'Y', errors: 'Z', part: 'wheel' };
		const errors = [{ field: 'a', code: 'REQUIRED', message: 'is required' }] as const;
		expect(apiError('CONFLICT', { context, errors }).toData('r-1')).toEqual({
			code: 'CONFLICT',
			status: 409,
			requestId: 'r-1',
			errors,
			part: 'wheel',
		});
	});

	test.each([
		[-5, '1'],
		[0, '1'],
		[999, '1'],
		[1_000, '1'],
		[1_001, '2'],
		[59_999.5, '60'],
	])('that passes in %d ms says Retry-After: %s', (retryAfterMs, seconds) => {
		expect(apiError('RATE_LIMITED', { retryAfterMs }).headers).toEqual({ 'Retry-After': seconds });
	});

	test('of a missing token names the scheme, of a bad one the error too (RFC 6750 §3.1)', () => {
		expect(apiError('UNAUTHENTICATED').headers).toEqual({ 'WWW-Authenticate': 'Bearer' });
		for (const code of ['TOKEN_EXPIRED', 'TOKEN_REVOKED', 'INVALID_TOKEN'] as const)
			expect(apiError(code).headers).toEqual({ 'WWW-Authenticate': 'Bearer error="invalid_token"' });
		expect(apiError('FORBIDDEN').headers).toEqual({});
		expect(apiError('METHOD_NOT_ALLOWED', { headers: { Allow: 'GET' } }).headers).toEqual({ Allow: 'GET' });
	});

	test('has a stack for the log unless it is a client error', () => {
		expect(apiError('CONFLICT')).toBeInstanceOf(Error);
		expect(apiError('CONFLICT').stack).not.toContain('failure.test');
		expect(apiError('SERVICE_UNAVAILABLE').stack).toContain('failure.test');
		expect(new Error('another one').stack).toContain('failure.test');
	});
});

test('every common code has a status of a failure and a sentence for a person', () => {
	for (const [code, { status, message }] of Object.entries(commonErrors)) {
		expect([code, status >= 400 && status < 600]).toEqual([code, true]);
		expect(message).toMatch(/^[A-Z].*\.$/);
	}
});
