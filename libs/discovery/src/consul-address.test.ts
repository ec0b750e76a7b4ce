import { expect, test } from '@jest/globals';
import { parseConsulAddresses } from './consul-address.ts';

test.each([
	['127.0.0.1:8500', { host: '127.0.0.1', port: 8500, secure: false }],
	['consul', { host: 'consul', port: 8500, secure: false }],
	['consul:80', { host: 'consul', port: 80, secure: false }],
	['http://consul:8501/', { host: 'consul', port: 8501, secure: false }],
	['https://consul.example.org:443', { host: 'consul.example.org', port: 443, secure: true }],
	['[::1]:8500', { host: '[::1]', port: 8500, secure: false }],
	['http://[::1]', { host: '[::1]', port: 8500, secure: false }],
])('%s is understood', (text, address) => {
	expect(parseConsulAddresses(text)).toEqual([address]);
});

test.each([
	'',
	'unix:///var/run/consul.sock',
	'ftp://consul',
	'http://consul/v1',
	'http://a:b@consul',
	'consul:0',
	'consul:99999',
])('%j is refused', (text) => {
	expect(() => parseConsulAddresses(text)).toThrow('Bad address of Consul');
});

test('several addresses are a comma-separated list; with CONSUL_HTTP_SSL the scheme defaults to https', () => {
	expect(parseConsulAddresses('a, http://b:80,https://c', { secure: true })).toEqual([
		{ host: 'a', port: 8500, secure: true },
		{ host: 'b', port: 80, secure: false },
		{ host: 'c', port: 8500, secure: true },
	]);
	expect(() => parseConsulAddresses('a,,b')).toThrow('Bad address of Consul ""');
});
