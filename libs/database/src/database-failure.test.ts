import { expect, test } from '@jest/globals';
import { QueryTimeoutError } from './connection-errors.ts';
import { describeDatabaseFailure } from './database-errors.ts';

const failure = (message: string, fields: object) => Object.assign(new Error(message), fields);

test.each<[string, unknown]>([
	['connection refused', failure('connect ECONNREFUSED 10.0.0.7:5432', { code: 'ECONNREFUSED' })],
	[
		'connection refused',
		new AggregateError([failure('connect ECONNREFUSED ::1:5432', { code: 'ECONNREFUSED' })], 'db.internal'),
	],
	[
		'credentials rejected',
		new Error('retry', { cause: failure('password of "paddock_auth" failed', { code: '28P01' }) }),
	],
	['server is read-only', failure('cannot execute UPDATE', { code: '25006' })],
	['error 42P01', failure('relation "users" does not exist', { code: '42P01' })],
	['no response in time', new QueryTimeoutError(750)],
	['no response in time', new Error('timeout exceeded when trying to connect to db.internal')],
	['connection lost', new Error('Connection to db.internal terminated unexpectedly')],
	['connection lost', 'no error'],
])('is described as "%s" without addresses, users and names', (description, error) => {
	expect(describeDatabaseFailure(error)).toBe(description);
});
