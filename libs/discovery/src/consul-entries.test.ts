import { describe, expect, test } from '@jest/globals';
import { checkEntries } from './check-entries.ts';
import { consulEntry } from './consul-responses.ts';

const entry = (ID: unknown, Address: unknown, Port: unknown) => ({
	Node: { Address: '10.0.0.1' },
	Service: { ID, Address, Port },
});
const check = (...entries: unknown[]) => checkEntries(entries.map(consulEntry), (_, port) => port === 8080);
const urls = (...entries: unknown[]) => check(...entries).instances.map(({ url }) => url);

describe('checkEntries', () => {
	test('sorts by id, whatever the order of the response', () => {
		const [a, b] = [entry('a', '10.0.0.2', 80), entry('b', '10.0.0.3', 80)];
		expect(check(a, b)).toEqual(check(b, a));
		expect(check(b, a).instances.map(({ id }) => id)).toEqual(['a', 'b']);
	});

	test('uses the address of the node if the service has none', () => {
		expect(urls(entry('a', '', 80), entry('b', undefined, 81))).toEqual([
			'http://10.0.0.1:80',
			'http://10.0.0.1:81',
		]);
	});

	test('puts IPv6 into brackets', () => {
		expect(urls(entry('a', '::1', 80))).toEqual(['http://[::1]:80']);
	});

	test('keeps one of several entries for one address and port', () => {
		expect(urls(entry('a', '10.0.0.2', 80), entry('b', '::ffff:10.0.0.2', 80))).toEqual([
			'http://10.0.0.2:80',
		]);
	});

	test('distinguishes two nodes with the same id', () => {
		const { instances } = check(entry('auth-1', '10.0.0.2', 80), entry('auth-1', '10.0.0.3', 80));
		expect(instances.map(({ id }) => id)).toEqual(['auth-1@http://10.0.0.2:80', 'auth-1@http://10.0.0.3:80']);
	});

	test('calls an instance without an id after its address', () => {
		expect(check(entry(undefined, '10.0.0.2', 80)).instances[0]?.id).toBe('10.0.0.2:80');
	});

	test.each([
		['no entry', undefined],
		['null', null],
		['a text', 'x'],
		['no service', { Node: { Address: '10.0.0.1' } }],
		['no port', entry('a', '10.0.0.2', undefined)],
		['port 0', entry('a', '10.0.0.2', 0)],
		['port 65536', entry('a', '10.0.0.2', 65_536)],
		['a negative port', entry('a', '10.0.0.2', -1)],
		['a fraction of a port', entry('a', '10.0.0.2', 80.5)],
		['a port in quotes', entry('a', '10.0.0.2', '80')],
		['an address that is a number', entry('a', 2130706433, 80)],
		['a forbidden address', entry('a', '10.0.0.2', 8080)],
		['no address at all', { Service: { ID: 'a', Port: 80 } }],
		['a link-local node', { Node: { Address: '169.254.1.1' }, Service: { ID: 'a', Port: 80 } }],
	])('refuses %s and uses the others', (_, bad) => {
		const { instances, refusals } = check(entry('good', '10.0.0.9', 80), bad);
		expect(instances.map(({ id }) => id)).toEqual(['good']);
		expect(refusals).toHaveLength(1);
	});
});
