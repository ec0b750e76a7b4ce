import { describe, expect, it } from '@jest/globals';
import { createClientOf, type ForwardingHeader, unusableElements } from './client-of.ts';

const trusted = new Set(['127.0.0.1', '10.0.0.1', '10.0.0.2', '2001:db8:ffff::1', '']);

function read(headers: Record<string, string>, socket: { remoteAddress?: string; encrypted?: boolean } = {}) {
	const unusable: [ForwardingHeader, string][] = [];
	const clientOf = createClientOf({
		isTrusted: (address) => address !== '' && trusted.has(address),
		onUnusable: (...element) => void unusable.push(element),
	});
	return { ...clientOf({ headers, socket: { remoteAddress: '127.0.0.1', ...socket } }), unusable };
}

/** Forms of one address, in X-Forwarded-For and as `for` of Forwarded. */
const forms: readonly [text: string, address: string][] = [
	['203.0.113.7', '203.0.113.7'],
	['203.0.113.7:5012', '203.0.113.7'],
	['203.0.113.7:', '203.0.113.7'],
	['"203.0.113.7:5012"', '203.0.113.7'],
	['"203.0.113.7"', '203.0.113.7'],
	['[203.0.113.7]:80', '203.0.113.7'],
	['2001:db8::1', '2001:db8::1'],
	['2001:0DB8:0:0:0:0:0:0001', '2001:db8::1'],
	['[2001:db8::1]', '2001:db8::1'],
	['[2001:db8::1]:4711', '2001:db8::1'],
	['[2001:DB8::1]:_port', '2001:db8::1'],
	['"[2001:db8::1]:4711"', '2001:db8::1'],
	['2001:db8:1:2:3:4:5:6:4711', '2001:db8:1:2:3:4:5:6'],
	['fe80::1%eth0', 'fe80::1'],
	['[fe80::1%eth0]:4711', 'fe80::1'],
	['[fe80::1%25eth0]', 'fe80::1'],
	['::ffff:203.0.113.7', '203.0.113.7'],
	['::FFFF:cb00:7107', '203.0.113.7'],
	['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
	['[::ffff:203.0.113.7]:4711', '203.0.113.7'],
	['::ffff:203.0.113.7:4711', '203.0.113.7'],
];

describe('the address of a client behind trusted proxies', () => {
	it.each(forms)('%s is read from X-Forwarded-For', (text, address) => {
		expect(read({ 'x-forwarded-for': text })).toMatchObject({ address, unusable: [] });
		expect(read({ 'x-forwarded-for': ` 192.0.2.1,\t${text} ,10.0.0.1:443` })).toMatchObject({ address });
	});

	it.each(forms)('%s is read from Forwarded', (text, address) => {
		expect(read({ forwarded: `for=${text}` })).toMatchObject({ address, unusable: [] });
		expect(
			read({ forwarded: `for=192.0.2.1, by=_x;FOR = ${text} ; proto=https;, For="10.0.0.2:1"` }),
		).toMatchObject({ address, protocol: 'https', unusable: [] });
	});

	it.each(['203.0.113.7, ,', ',203.0.113.7', ', ,203.0.113.7,\t, 10.0.0.1,'])(
		'empty elements are skipped: %j',
		(list) => {
			expect(read({ 'x-forwarded-for': list })).toMatchObject({ address: '203.0.113.7', unusable: [] });
		},
	);

	it.each([
		'unknown',
		'_hidden',
		'-',
		'null',
		'example.org',
		'203.0.113.7:port',
		'203.0.113',
		'010.0.0.7',
		'203.0.113.700',
		'203.0.113.7;203.0.113.8',
		'203.0.113.7 203.0.113.8',
		'[2001:db8::1',
		'2001:db8::1]:4711',
		'[]',
		'[]:80',
		'""',
		':80',
		'<script>',
		'%',
	])('%j names nobody: the proxy that reports it counts, never what clients send before it', (element) => {
		expect(read({ 'x-forwarded-for': `192.0.2.1, ${element}, 10.0.0.2` })).toMatchObject({
			address: '10.0.0.2',
			unusable: [['x-forwarded-for', element]],
		});
		expect(read({ 'x-forwarded-for': element })).toMatchObject({ address: '127.0.0.1' });
		expect(read({ forwarded: `for=192.0.2.1, for=${element}` })).toMatchObject({ address: '127.0.0.1' });
	});

	it.each([
		'proto=https',
		'for',
		'for=',
		'for=203.0.113.7;for=192.0.2.1',
		'for=203.0.113.7 192.0.2.1',
		'=1',
		';',
	])('an element %j of Forwarded names nobody', (element) => {
		expect(read({ forwarded: `for=192.0.2.1, ${element}` })).toMatchObject({
			address: '127.0.0.1',
			unusable: [['forwarded', element]],
		});
	});

	it.each([
		'for="',
		'for=192.0.2.1;x="',
		'for=192.0.2.1;x="\\',
		'for="192.0.2.1',
		'"',
		'unknown',
		'for=192.0.2.1, , ;;',
	])('what a client sends (%j) does not change the element of the proxy', (sent) => {
		for (const own of ['for=203.0.113.7', 'for="203.0.113.7:1";proto=https;by="[::1]"'])
			expect(read({ forwarded: `${sent}, ${own}` })).toMatchObject({ address: '203.0.113.7', unusable: [] });
		expect(read({ 'x-forwarded-for': `${sent}, 203.0.113.7` })).toMatchObject({ address: '203.0.113.7' });
	});

	it('separators within quotes are part of the value', () => {
		const forwarded = 'for=203.0.113.7;host="a\\",b;c, for=192.0.2.1";proto=https';
		expect(read({ forwarded })).toMatchObject({ address: '203.0.113.7', protocol: 'https' });
	});

	it('is the first one if all are trusted proxies, and the peer without an element', () => {
		expect(read({ 'x-forwarded-for': '10.0.0.1, 10.0.0.2' }).address).toBe('10.0.0.1');
		expect(read({ 'x-forwarded-for': ' , ' }).address).toBe('127.0.0.1');
		expect(read({ 'x-forwarded-for': '', forwarded: '' })).toMatchObject({
			address: '127.0.0.1',
			unusable: [],
		});
	});

	it('X-Forwarded-For is read rather than Forwarded', () => {
		const both = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=192.0.2.1;proto=https' };
		expect(read(both)).toMatchObject({ address: '203.0.113.7', protocol: 'http' });
		expect(read({ ...both, 'x-forwarded-for': ' ,' }).address).toBe('192.0.2.1');
	});

	it('of an untrusted peer is its own', () => {
		const headers = {
			'x-forwarded-for': '192.0.2.1',
			'x-forwarded-proto': 'https',
			'x-forwarded-host': 'evil.example',
			forwarded: 'for=192.0.2.1;proto=https;host=evil.example',
		};
		for (const remoteAddress of ['198.51.100.1', undefined])
			expect(read(headers, { remoteAddress } as object)).toEqual({
				address: remoteAddress ?? '',
				protocol: 'http',
				host: undefined,
				unusable: [],
			});
	});
});

describe('scheme and host of a client', () => {
	it.each([
		['https', 'https'],
		['HTTPS', 'https'],
		['"https"', 'https'],
		['http', 'http'],
		['http, https', 'https'],
		['https, http', 'http'],
		['https,', 'https'],
	])('X-Forwarded-Proto: %s of one proxy is %s', (proto, protocol) => {
		const headers = { 'x-forwarded-for': '192.0.2.1, 203.0.113.7', 'x-forwarded-proto': proto };
		expect(read(headers)).toMatchObject({ protocol, unusable: [] });
	});

	it('are those that the proxy next to the client reports', () => {
		const chain = { 'x-forwarded-for': '192.0.2.1, 203.0.113.7, 10.0.0.1' };
		const proto = 'http, https, http';
		const host = 'evil.example, shop.example, inner.example:8080';
		expect(read({ ...chain, 'x-forwarded-proto': proto, 'x-forwarded-host': host })).toMatchObject({
			protocol: 'https',
			host: 'shop.example',
		});
		// A list that is shorter than the chain begins with that proxy.
		expect(read({ ...chain, 'x-forwarded-proto': 'https' })).toMatchObject({ protocol: 'https' });
		const forwarded =
			'for=192.0.2.1;proto=http, for=203.0.113.7;proto=https;host="shop.example:443", for=10.0.0.1;proto=http';
		expect(read({ forwarded })).toMatchObject({ protocol: 'https', host: 'shop.example:443' });
		expect(read({ forwarded: 'for=unknown;proto=https' })).toMatchObject({ protocol: 'https' });
	});

	it.each(['ftp', 'on', 'https://', 'javascript'])('the scheme %j is not usable', (proto) => {
		const own = [['x-forwarded-proto', proto]];
		expect(read({ 'x-forwarded-proto': proto })).toMatchObject({ protocol: 'http', unusable: own });
		expect(read({ 'x-forwarded-proto': proto }, { encrypted: true })).toMatchObject({ protocol: 'https' });
		expect(read({ forwarded: `for=203.0.113.7;proto="${proto}"` })).toMatchObject({ protocol: 'http' });
	});

	it.each(['a b', '<script>', 'a/b', 'user@example.org', 'a"b', '[::1', 'a:b'])(
		'the host %j is not usable',
		(host) => {
			const own = [['x-forwarded-host', host]];
			expect(read({ 'x-forwarded-host': host })).toMatchObject({ host: undefined, unusable: own });
		},
	);

	it.each(['example.org', 'example.org:8443', '[2001:db8::1]:80', '203.0.113.9'])(
		'the host %s is',
		(host) => {
			expect(read({ 'x-forwarded-host': host })).toMatchObject({ host, unusable: [] });
		},
	);
});

describe('unusable elements', () => {
	it('are logged once each, shortened, and not without end', () => {
		const lines: unknown[] = [];
		const logger = { warn: (message: string, fields: object) => lines.push({ message, ...fields }) };
		const counted: ForwardingHeader[] = [];
		const onUnusable = unusableElements(logger as never, (header) => void counted.push(header));
		for (let at = 0; at < 5; at += 1) onUnusable('x-forwarded-for', 'unknown');
		onUnusable('forwarded', `for=${'x'.repeat(10_000)}`);
		expect(lines).toEqual([
			{ message: 'forwarding header not usable', header: 'x-forwarded-for', value: 'unknown' },
			{ message: 'forwarding header not usable', header: 'forwarded', value: `for=${'x'.repeat(96)}` },
		]);
		for (let at = 0; at < 1_000; at += 1) onUnusable('x-forwarded-for', `_${at}`);
		expect(lines).toHaveLength(10);
		expect(counted).toHaveLength(1_006);
	});
});
