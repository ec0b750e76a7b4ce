import { describe, expect, test } from '@jest/globals';
import { checkAddress, isUsableAddress } from './address.ts';

const usable: [string, string][] = [
	['127.0.0.1', '127.0.0.1'],
	['10.0.0.7', '10.0.0.7'],
	['192.168.1.20', '192.168.1.20'],
	['8.8.8.8', '8.8.8.8'],
	['::1', '::1'],
	['fd00:0:0::7', 'fd00::7'],
	['2001:DB8::0:1', '2001:db8::1'],
	['::ffff:127.0.0.1', '127.0.0.1'],
	['::ffff:7f00:1', '127.0.0.1'],
];

const unusable = [
	'169.254.169.254',
	'169.254.0.1',
	'::ffff:169.254.169.254',
	'::ffff:a9fe:a9fe',
	'0:0:0:0:0:ffff:a9fe:a9fe',
	'::169.254.169.254',
	'::ffff:0:169.254.169.254',
	'64:ff9b::169.254.169.254',
	'64:ff9b:1::169.254.169.254',
	'2002:a9fe:a9fe::1',
	'2001:0:a9fe::1',
	'fe80::1',
	'fe80::1%eth0',
	'febf::1',
	'fec0::1',
	'0.0.0.0',
	'0.1.2.3',
	'::',
	'::ffff:0.0.0.0',
	'224.0.0.1',
	'239.255.255.255',
	'ff02::1',
	'::ffff:224.0.0.1',
	'255.255.255.255',
	'::ffff:255.255.255.255',
	'fd00:ec2::254',
	'fd00:0ec2:0:0::254',
	'100.100.100.200',
	'168.63.129.16',
];

const names: [string, string][] = [
	['localhost', 'localhost'],
	['Horses.Example.ORG.', 'horses.example.org'],
	['horses-1', 'horses-1'],
	['horses_1.paddock_default', 'horses_1.paddock_default'],
	['1horses', '1horses'],
];

const malformed = [
	'',
	' ',
	'.',
	'a..b',
	'-a',
	'a-',
	'a b',
	'127.1',
	'127.0.0.1.',
	'2852039166',
	'0xa9fea9fe',
	'0xa9.0xfe.0xa9.0xfe',
	'0251.0376.0251.0376',
	'169.254.169.254.',
	'x.1',
	'127.0.0.1:80',
	'127.0.0.1/admin',
	'user@host',
	'[::1]',
	'host\r\nX-Injected: 1',
	'höst',
	`${'a'.repeat(64)}.org`,
	`${'a.'.repeat(127)}ab`,
];

describe('checkAddress', () => {
	test.each([...usable, ...names])('%j is accepted as %j', (given, canonical) => {
		expect(checkAddress(given)).toEqual({ address: canonical });
	});
	test.each([...unusable, ...malformed])('%j is refused', (given) => {
		expect(checkAddress(given)).toEqual({ refusal: expect.any(String) });
	});
	test.each([undefined, null, 17, {}, ['127.0.0.1']])('%j is refused', (given) => {
		expect(checkAddress(given)).toEqual({ refusal: 'no address' });
	});
});

describe('isUsableAddress', () => {
	test.each(usable.map(([ip]) => ip))('%s may be connected to', (ip) => {
		expect(isUsableAddress(ip)).toBe(true);
	});
	test.each([...unusable, ...malformed, 'localhost'])('%j may not', (ip) => {
		expect(isUsableAddress(ip)).toBe(false);
	});
});
