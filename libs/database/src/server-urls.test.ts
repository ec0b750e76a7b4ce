import { expect, test } from '@jest/globals';
import { serverUrls } from './server-urls.ts';

const given = 'postgres://role:pa%2Css@';

test.each([
	[`${given}a/db`, [`${given}a/db`], 'any'],
	[`${given}a:5432,b:5433/db`, [`${given}a:5432/db`, `${given}b:5433/db`], 'any'],
	[
		`${given}a,[::1]:5433/db?target_session_attrs=read-write&sslmode=verify-full&sslrootcert=%2Fca.pem`,
		[
			`${given}a/db?sslmode=verify-full&sslrootcert=%2Fca.pem`,
			`${given}[::1]:5433/db?sslmode=verify-full&sslrootcert=%2Fca.pem`,
		],
		'read-write',
	],
	['postgresql://a,b/db?target_session_attrs=primary', ['postgresql://a/db', 'postgresql://b/db'], 'primary'],
])('%s', (url, urls, target) => {
	expect(serverUrls(url)).toEqual({ urls, target });
});

test.each([
	['postgres://a,b/db?target_session_attrs=standby', 'target_session_attrs must be any, read-write, primary'],
	['postgres://a:port/db', 'must be an address such as'],
	['postgres://a,/db', 'must be an address such as'],
	['mysql://a/db', 'must be an address such as'],
])('%s is refused', (url, reason) => {
	expect(() => serverUrls(url)).toThrow(reason);
});
