import { describe, expect, it } from '@jest/globals';
import { removeRequestHeaders } from './headers.ts';

function stripped(headers: Record<string, string>): string[] {
	const all = { host: 'a', accept: '*/*', authorization: 'Bearer x', 'content-length': '2', ...headers };
	removeRequestHeaders(all);
	return Object.keys(all).sort();
}

const untouched = ['accept', 'authorization', 'content-length', 'host'];

describe('header hygiene', () => {
	it.each([
		'connection',
		'proxy-connection',
		'keep-alive',
		'te',
		'trailer',
		'upgrade',
		'http2-settings',
		'proxy-authenticate',
		'proxy-authorization',
		'expect',
		'x-user-id',
		'x-user',
		'x-user-role',
		'x_user_id',
		'x-userid',
		'x-auth-token',
		'x-authenticated-userid',
		'x-internal-call',
		'x-internal_call',
		'x-original-url',
		'x-rewrite-url',
		'x-http-method-override',
		'x-http-method',
		'x-method-override',
		'x-request-deadline-ms',
		'x-real-ip',
		'true-client-ip',
		'x-forwarded-user',
		'x-forwarded-email',
		'x-forwarded-uri',
		'x-forwarded-for-original',
		'x_forwarded_for',
		'x-forwarded_host',
	])('%s never gets on', (name) => {
		expect(stripped({ [name]: 'x' })).toEqual(untouched);
	});

	it.each([
		'x-usage',
		'x-custom',
		'user-agent',
		'x-forwarded-for',
		'x-forwarded-host',
		'x-forwarded-proto',
		'if-match',
		'cookie',
	])('%s is not for this step to take away', (name) => {
		expect(stripped({ [name]: 'x' })).toEqual([...untouched, name].sort());
	});

	it('takes away what Connection names, in any spelling', () => {
		expect(stripped({ connection: 'close, X-Custom ,\tACCEPT', 'x-custom': '1' })).toEqual([
			'authorization',
			'content-length',
			'host',
		]);
	});

	it('leaves what frames the message, even when Connection names it', () => {
		const names = 'host, content-length, transfer-encoding, content-type';
		expect(stripped({ connection: names, 'content-type': 'a/b', 'transfer-encoding': 'chunked' })).toEqual(
			[...untouched, 'content-type', 'transfer-encoding'].sort(),
		);
	});

	it('survives names that every object has', () => {
		expect(stripped({ connection: '__proto__, constructor, toString, ,,' })).toEqual(untouched);
		expect({}.toString).toBeInstanceOf(Function);
	});
});
