import { expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { databaseOutage, databaseOutages, describeDatabaseFailure } from './database-errors.ts';

function databaseError(code: string): Error {
	return Object.assign(new Error('as the server says it'), { code, severity: 'ERROR' });
}

test.each([
	['cannot connect now', '57P03'],
	['a deadlock', '40P01'],
	['a serialization failure', '40001'],
	['lack of resources', '53000'],
	['a full disk', '53100'],
	['lack of memory', '53200'],
	['lack of connections', '53300'],
	['an exceeded limit', '53400'],
	['a shutdown', '57P01'],
	['a crash', '57P02'],
	['a dropped database', '57P04'],
	['an idle session', '57P05'],
	['a system error', '58000'],
	['an I/O error', '58030'],
	['a missing file', '58P01'],
	['a read-only server', '25006'],
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

test.each([
	['53100', 'could not extend file "base/5/16400": No space left on device', 'out of space'],
	['XX000', 'could not extend file "base/5/16400": Disk quota exceeded', 'out of space'],
	['42501', 'could not open file "base/5/16400": Read-only file system', 'storage error'],
	['58030', 'could not read block 7 in file "base/5/16400": Input/output error', 'storage error'],
	['53200', 'out of memory', 'out of memory'],
])('%s "%s" is 503, and described as %s', (code, message, description) => {
	const error = Object.assign(new Error(message), { code, severity: 'ERROR' });
	expect(databaseOutage(error)).toMatchObject({ status: 503 });
	expect(describeDatabaseFailure(error)).toBe(description);
});

test('a text of a client that looks like a full disk is not', () => {
	const error = Object.assign(new Error('No space left on device'), { code: 'ENOSPC' });
	expect(databaseOutage(error)).toBeUndefined();
	expect(databaseOutage(databaseError('42501'))).toBeUndefined();
});

// 400 refused writes were 400 lines.
test('failures of the server are logged once a minute, with their number, and other outages with each request', () => {
	let nowMs = 0;
	const lines: object[] = [];
	const logger = silentLogger();
	const error = (message: string, fields: object) => {
		lines.push({ message, ...fields });
		return logger;
	};
	const outage = databaseOutages(Object.assign(logger, { error }), () => nowMs);
	for (let request = 0; request < 400; request += 1) {
		const { status, cause } = outage(databaseError('53100')) ?? {};
		expect([status, cause]).toEqual([503, undefined]);
		nowMs += 200;
	}
	outage(databaseError('57P01'));
	const of = { message: 'database unavailable', cause: 'as the server says it' };
	expect(lines).toEqual([
		{ ...of, problem: 'out of space', code: '53100', count: 1 },
		{ ...of, problem: 'out of space', code: '53100', count: 300 },
		{ ...of, problem: 'server stopped', code: '57P01', count: 1 },
	]);
	const lost = databaseError('08006');
	expect(outage(lost)).toMatchObject({ status: 503, cause: lost });
	expect(outage(databaseError('23505'))).toBeUndefined();
});
