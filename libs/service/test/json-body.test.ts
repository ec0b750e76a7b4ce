import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, rawRequest } from '@paddock/testing';
import { runToyService, type ToyService } from './toy-service.ts';

let toys: ToyService;
beforeAll(async () => {
	toys = await runToyService();
});
afterAll(() => toys.close());

const echo = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
	toys.send('POST', '/echo', { body, headers });
const bytes = (...values: number[]) => Uint8Array.from(values);
const quoted = (...values: number[]) => bytes(0x22, ...values, 0x22);

test.each<[string, string | Uint8Array<ArrayBuffer>, unknown]>([
	['a byte order mark is skipped (RFC 8259 §8.1)', '\uFEFF{"a":1}', { a: 1 }],
	['the largest exact integer', '9007199254740991', 2 ** 53 - 1],
	['-0, as 0', '-0', 0],
	['a fraction', '1.25e-3', 0.00125],
	['text beyond the BMP', '"\\ud83d\\udc0e"', '\u{1F40E}'],
	['32 levels', `${'['.repeat(32)}${']'.repeat(32)}`, JSON.parse(`${'['.repeat(32)}${']'.repeat(32)}`)],
	['the name constructor', '{"constructor":{"prototype":{}}}', { constructor: { prototype: {} } }],
	['the same name in different objects', '[{"a":1},{"a":{"a":2}}]', [{ a: 1 }, { a: { a: 2 } }]],
	['a name that is also a value', '{"a":"b","b":"a","c":["a","a"]}', { a: 'b', b: 'a', c: ['a', 'a'] }],
	['marks inside of text', '{"a":"{,\\"a\\":[","b":"}"}', { a: '{,"a":[', b: '}' }],
])('%s is accepted', async (_name, body, expected) => {
	const { status, data } = await echo(body);
	expect([status, data]).toEqual([200, { got: expected }]);
});

test.each<[string, string | Uint8Array<ArrayBuffer>]>([
	['no JSON', '{name:1}'],
	['only spaces', ' \n '],
	['two values', '{} {}'],
	['a comment', '{} // x'],
	['NaN', 'NaN'],
	['an open string', '"abc'],
	['a byte that is not UTF-8', quoted(0xff)],
	['an overlong form', quoted(0xc0, 0xaf)],
	['a surrogate in UTF-8', quoted(0xed, 0xa0, 0x80)],
	['a cut-off character', quoted(0xe2, 0x82)],
	['UTF-16', new Uint8Array(Buffer.from('\uFEFF{"a":1}', 'utf16le'))],
	['U+0000 in a text', '"a\\u0000b"'],
	['U+0000 in a name', '{"a\\u0000b":1}'],
	['a lone surrogate in a text', '["\\ud800"]'],
	['a lone surrogate in a name', '{"\\udc00":1}'],
	['2^53 + 1', '{"n":9007199254740993}'],
	['-2^53 - 1', '[-9007199254740993]'],
	['1e999', '1e999'],
	['-1e999', '-1e999'],
	['33 levels', `${'['.repeat(33)}${']'.repeat(33)}`],
	['5000 levels of lists', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
	['5000 levels of objects', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
	['50000 opening brackets', '['.repeat(50_000)],
	['__proto__', '{"__proto__":{"isAdmin":true}}'],
	['__proto__ deep inside', '{"a":[{"__proto__":1}]}'],
	['__proto__ in escapes', '{"\\u005f_proto__":1}'],
	['a name twice', '{"role":"MEMBER","role":"ADMIN"}'],
	['a name twice, once in escapes', '{"a":1,"\\u0061":2}'],
	['a name twice deep inside', '[{"a":{"b":[],"c":0,"b":1}}]'],
])('%s is refused', async (_name, body) => {
	const { status, code } = await echo(body);
	expect([status, code]).toEqual([400, 'MALFORMED_JSON']);
});

test('a refused body does not affect the next one', async () => {
	await echo(quoted(0xe2, 0x82));
	expect((await echo('"ok"')).data).toEqual({ got: 'ok' });
	expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
});

test('a body that is hard to read is refused after under 100 ms of work', async () => {
	const pairs = Array.from({ length: 9_000 }, (_, index) => `"k${index}":{}`).join();
	for (const body of ['[{"a":'.repeat(16_000), `{${pairs},"k0":0}`, `"${'\\\\'.repeat(50_000)}`]) {
		const timesMs: number[] = [Number.POSITIVE_INFINITY];
		// A processor that is shared counts for more time than it works; in one of these moments it isn't.
		for (let round = 0; round < 40 && Math.min(...timesMs) >= 100; round += 1) {
			// Processor time of this process, which includes the service: not affected by other load.
			const before = process.cpuUsage();
			expect((await echo(body)).status).toBe(400);
			const { user, system } = process.cpuUsage(before);
			timesMs.push((user + system) / 1_000);
		}
		expect(Math.min(...timesMs)).toBeLessThan(100);
	}
});

test.each([
	'application/json',
	'application/json; charset=utf-8',
	'Application/JSON;charset=UTF-8',
	'application/json; charset="utf-8"',
	// RFC 9110 §5.6.6: a parameter may be empty. Both were refused.
	'application/json;',
	'application/json ; charset=utf-8 ; ',
	// RFC 8259 §11: the parameter has no effect. These were refused.
	'application/json; charset=utf8',
	'application/json; charset="UTF8"',
	'application/json;charset=',
	'application/json; charset=latin1',
	'application/json; charset=us-ascii',
	'application/json; charset=x-unknown',
	'application/json; profile="https://example.org/a"; version=1',
	'application/json\t;\tcharset = utf-8',
])('%s is read', async (type) => {
	expect((await echo('{}', { 'Content-Type': type })).status).toBe(200);
});

test.each([
	'text/plain',
	'application/x-www-form-urlencoded',
	'multipart/form-data; boundary=x',
	'application/json; charset=utf-16',
	'application/json; charset="UTF-16LE"',
	'application/json; version=1; charset=utf-32',
	'application/json; charset=UCS-2',
	'application/json charset=utf-8',
	'text/json',
	'application/jsonp',
	'application/json, text/plain',
	'application/merge-patch+json',
	'*/*',
])('%s is not read', async (type) => {
	const { status, code } = await echo('{}', { 'Content-Type': type });
	expect([status, code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
});

test('a body without a type is not read', async () => {
	for (const body of [
		'Content-Length: 2\r\n\r\n{}',
		'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
	]) {
		const response = await rawRequest(toys.port, `POST /echo HTTP/1.1\r\nHost: a\r\n${body}`);
		expect([response.status, JSON.parse(response.body).data.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
	}
});

test('a compressed body is not read, and an empty one is refused', async () => {
	const zipped = await echo(new Uint8Array(gzipSync('{}')), { 'Content-Encoding': 'gzip' });
	expect([zipped.status, zipped.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
	const empty = await toys.send('POST', '/echo', { headers: { 'Content-Type': 'application/json' } });
	expect([empty.status, empty.code]).toEqual([400, 'MALFORMED_JSON']);
	const untyped = await toys.send('POST', '/echo');
	expect([untyped.status, untyped.code]).toEqual([400, 'MALFORMED_JSON']);
	expect(JSON.parse(untyped.text).message).toBe('The body is missing; a JSON object is required.');
});

describe('the limit of the body', () => {
	const head = (more: string) =>
		`POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;
	const json = (length: number) => `"${'x'.repeat(length - 2)}"`;

	test('is exact', async () => {
		expect((await echo(json(102_400))).status).toBe(200);
		expect((await echo(json(102_401))).status).toBe(413);
	});

	test('is known from the length alone, before the body is sent', async () => {
		const response = await rawRequest(toys.port, head(`Content-Length: ${1024 ** 3}`));
		expect([response.status, JSON.parse(response.body).data.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
		expect(response.closedByPeer).toBe(true);
	});

	test('ends a body in chunks that has no end of its own', async () => {
		const chunk = `ea60\r\n${'x'.repeat(60_000)}\r\n`;
		const response = await rawRequest(toys.port, `${head('Transfer-Encoding: chunked')}${chunk}${chunk}`);
		expect([response.status, JSON.parse(response.body).data.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
		expect(response.closedByPeer).toBe(true);
	});
});

test('a truncated body is not an internal error and reaches no handler', async () => {
	const before = toys.log.length;
	await rawRequest(
		toys.port,
		'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":',
		200,
	);
	await eventually('the request is logged', () => toys.log.length > before);
	expect(toys.log.slice(before)).toEqual([
		expect.objectContaining({ message: 'request', level: 'info', route: '/echo', status: 400 }),
	]);
});
