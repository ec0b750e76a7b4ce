import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rawRequest } from '@paddock/testing';
import { runToyService, type ToyService } from './toy-service.ts';

let toys: ToyService;
beforeAll(async () => {
	toys = await runToyService();
});
afterAll(() => toys.close());

const list = (query: string) => toys.send('GET', `/toys?${query}`);

test('parameters reach the handler decoded and typed', async () => {
	const { status, data } = await list(
		'q=a+b%2Bc&&active=false&size_min=-3&sort=name,-size&page=3&size=20&colour=',
	);
	expect(status).toBe(200);
	expect(data).toEqual({
		q: 'a b+c',
		active: false,
		size_min: -3,
		sort: [
			{ field: 'name', descending: false },
			{ field: 'size', descending: true },
		],
		size: 20,
		colour: '',
		page: { size: 20, offset: 40, scope: expect.any(String) },
	});
});

test.each<[string, string[]]>([
	['nope=1', ['nope UNKNOWN_FIELD']],
	['page=1&page=1', ['page INVALID_FORMAT']],
	['page=1&%70age=2', ['page INVALID_FORMAT']],
	['page=1&page=x', ['page INVALID_FORMAT', 'page INVALID_FORMAT']],
	['colour=%', ['colour INVALID_FORMAT']],
	['colour=%zz', ['colour INVALID_FORMAT']],
	['colour=%ff', ['colour INVALID_FORMAT']],
	['colour=%ED%A0%80', ['colour INVALID_FORMAT']],
	['colour=%C0%AF', ['colour INVALID_FORMAT']],
	['colour=%00', ['colour INVALID_FORMAT']],
	['co%00lour=1', ['co\0lour INVALID_FORMAT']],
	['%ff=1', ['%ff INVALID_FORMAT']],
	['__proto__=1', ['__proto__ UNKNOWN_FIELD']],
	['__proto__[page]=1', ['__proto__[page] UNKNOWN_FIELD']],
	['constructor=1&toString=2', ['constructor UNKNOWN_FIELD', 'toString UNKNOWN_FIELD']],
	['page[]=1', ['page[] UNKNOWN_FIELD']],
	['page', ['page INVALID_FORMAT']],
	['page=', ['page INVALID_FORMAT']],
	['page=1e3', ['page INVALID_FORMAT']],
	['page=0x1', ['page INVALID_FORMAT']],
	['page=+1', ['page INVALID_FORMAT']],
	['page=%D9%A1', ['page INVALID_FORMAT']],
	['page=0', ['page INVALID_RANGE']],
	['page=999999999999999', ['page INVALID_RANGE']],
	['page=9999999999999999', ['page INVALID_FORMAT']],
	['size=201', ['size INVALID_RANGE']],
	['offset=-1', ['offset INVALID_RANGE']],
	['page=1&limit=2', ['limit UNKNOWN_FIELD']],
	['page=1&offset=2', ['offset UNKNOWN_FIELD']],
	['q=%20%20', ['q INVALID_LENGTH']],
	['q=', ['q INVALID_LENGTH']],
	[`q=${'x'.repeat(101)}`, ['q INVALID_LENGTH']],
	['q=a%0Ab', ['q INVALID_FORMAT']],
	['active=yes', ['active INVALID_FORMAT']],
	['active=TRUE', ['active INVALID_FORMAT']],
	['sort=', ['sort INVALID_FORMAT']],
	['sort=age', ['sort INVALID_FORMAT']],
	['sort=--name', ['sort INVALID_FORMAT']],
	['sort=name,-name', ['sort INVALID_FORMAT']],
	['sort=constructor', ['sort INVALID_FORMAT']],
	['page=x&size=0&nope=1', ['nope UNKNOWN_FIELD', 'page INVALID_FORMAT', 'size INVALID_RANGE']],
])('?%s is refused by name', async (query, expected) => {
	const { status, code, fields } = await list(query);
	expect({ status, code, fields }).toEqual({
		status: 400,
		code: 'INVALID_QUERY_PARAMETER',
		fields: expected,
	});
});

test.each([
	['ofset', '; did you mean offset?'],
	['limits', '; did you mean limit?'],
	['SIZE', '; did you mean size?'],
	['sizeMin', '; did you mean size_min?'],
	['color', '; did you mean colour?'],
	['name', ''],
	['x', ''],
	['constructor', ''],
	['a'.repeat(20_000), ''],
])('the message for ?%s=1 ends in "%s"', async (name, suggestion) => {
	const { data } = await list(`${name}=1`);
	expect(data['errors']).toEqual([
		{ field: name.slice(0, 200), code: 'UNKNOWN_FIELD', message: `is not known here${suggestion}` },
	]);
});

test('a parameter is refused by a route that declares none', async () => {
	expect((await toys.send('GET', '/toys/active?x=1')).fields).toEqual(['x UNKNOWN_FIELD']);
});

test('no parameter affects later requests', async () => {
	await list('__proto__[polluted]=1&__proto__.polluted=1&constructor[prototype][polluted]=1');
	expect(Reflect.get({}, 'polluted')).toBeUndefined();
	expect((await list('')).data).toMatchObject({ page: { size: 50, offset: 0 } });
});

describe('a query that no client library would send', () => {
	const head = 'HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

	// Read as Latin-1, "ä" would be searched for as "Ã¤".
	test('with bytes that are not encoded is refused, not misread', async () => {
		const response = await rawRequest(toys.port, Buffer.from(`GET /toys?colour=bl\u00e4u ${head}`));
		expect([response.status, JSON.parse(response.body).data.code]).toEqual([400, 'MALFORMED_REQUEST']);
	});

	test('with thousands of parameters is handled quickly', async () => {
		const response = await rawRequest(toys.port, `GET /toys?${'a&'.repeat(14_000)} ${head}`);
		expect([response.status, response.body.length < 20_000]).toEqual([400, true]);
	});

	test('with one very long name is handled quickly', async () => {
		const response = await rawRequest(toys.port, `GET /toys?${'a'.repeat(28_000)} ${head}`);
		expect([response.status, response.body.length < 2_000]).toEqual([400, true]);
	});
});
