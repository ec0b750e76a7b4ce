import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { GatewayHeaders, relayedHeaders, removeRequestHeaders } from './headers.ts';

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
		'x_http_method_override',
		'x_original-url',
		'x.user.id',
		'content_length',
		'transfer_encoding',
		'x_request_id',
		'proxy',
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
		'x_custom',
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

describe('the headers of a relayed response', () => {
	const fixed = { list: ['X-Frame-Options', 'DENY'], names: new Set(['x-frame-options']) };

	function relayed(requestId: string, headers: Record<string, string>): string[] {
		const own = new GatewayHeaders(fixed);
		own.add('X-Request-Id', requestId);
		const res = new ServerResponse(new IncomingMessage(new Socket()));
		return relayedHeaders(res, { status: 200, headers }, own);
	}

	it('are its own, the fixed ones, and none of another response', () => {
		const all = (id: string) => ['X-Request-Id', id, 'X-Frame-Options', 'DENY'];
		const headers = { 'x-frame-options': 'SAMEORIGIN', 'x-request-id': 'x' };
		expect(relayed('1', { ...headers, etag: '"a"' })).toEqual([...all('1'), 'etag', '"a"']);
		expect(relayed('2', { ...headers, age: '1' })).toEqual([...all('2'), 'age', '1']);
		expect(fixed.list).toEqual(['X-Frame-Options', 'DENY']);
	});
});
