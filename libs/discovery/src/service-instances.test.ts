import { describe, expect, test } from '@jest/globals';
import { parseServiceInstances, parseServiceTargets } from './service-instances.ts';

describe('parseServiceInstances', () => {
	test('reads services, several instances of one, IPv6 and names', () => {
		const text =
			'auth-service=http://127.0.0.1:8081, horses-service=http://[::1]:8083,\nauth-service=http://auth-2:80,';
		expect(parseServiceInstances(text)).toEqual(
			new Map([
				[
					'auth-service',
					[
						{ id: '127.0.0.1:8081', address: '127.0.0.1', port: 8081, url: 'http://127.0.0.1:8081' },
						{ id: 'auth-2:80', address: 'auth-2', port: 80, url: 'http://auth-2:80' },
					],
				],
				['horses-service', [{ id: '[::1]:8083', address: '::1', port: 8083, url: 'http://[::1]:8083' }]],
			]),
		);
	});

	test('an empty text has no services', () => {
		expect(parseServiceInstances(' ')).toEqual(new Map());
	});

	test.each([
		['auth-service', 'not of the form'],
		['=http://127.0.0.1:1', 'the name'],
		['Auth=http://127.0.0.1:1', 'the name'],
		['a=127.0.0.1:8081', 'not a URL'],
		['a=http://127.0.0.1:0', 'port 0'],
		['a=http://127.0.0.1:65536', 'not a URL'],
		['a=https://127.0.0.1:8081', 'only http'],
		['a=http://user:secret@127.0.0.1:8081', 'only a host'],
		['a=http://127.0.0.1:8081/base', 'only a host'],
		['a=http://127.0.0.1:8081?x=1', 'only a host'],
		['a=http+srv://_http._tcp.a', 'SRV records need DISCOVERY=dns'],
		['a=http+srv://_http._tcp.a:80', 'contain the port'],
		['a=http+srv://10.0.0.1', 'need a name'],
		['a=http://169.254.169.254:80', 'linkLocal'],
		['a=http://0xa9fea9fe:80', 'linkLocal'],
		['a=http://h:1,a=http://h:1', 'named twice'],
	])('%s is refused: %s', (text, problem) => {
		expect(() => parseServiceInstances(text)).toThrow(problem);
	});

	test('every bad part is named, not only the first', () => {
		expect(() => parseServiceInstances('good=http://h:1,one,two=ftp://h:1')).toThrow(
			/^Bad service instances: "one": .*; "two=ftp:\/\/h:1": /,
		);
	});

	test('SRV names are read for DNS', () => {
		expect(parseServiceTargets('a=http+srv://_http._TCP.a.example.org.,a=http://b:80')).toEqual(
			new Map([
				[
					'a',
					[{ srv: '_http._tcp.a.example.org' }, { id: 'b:80', address: 'b', port: 80, url: 'http://b:80' }],
				],
			]),
		);
	});
});
