import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { toyId } from './toy-routes.ts';
import { runToyService, type ToyService } from './toy-service.ts';

let toys: ToyService;
beforeAll(async () => {
	toys = await runToyService();
});
afterAll(() => toys.close());

const good = { name: 'Rocking horse', size: 3 };
const create = (body: object) => toys.send('POST', '/toys', { body });

test('a good body reaches the handler parsed: trimmed and in NFC', async () => {
	const { status, data } = await create({ name: '  Scha\u0308fer ', size: 3 });
	expect([status, data]).toEqual([201, { name: 'Sch\u00e4fer', size: 3 }]);
});

test('all bad fields are named at once, nested ones by their path', async () => {
	const { status, code, fields } = await create({
		size: '3',
		bought: '2026-02-30',
		owner: { email: 'nobody', role: 'ADMIN' },
		parts: [{ code: 'ab', weight: 1 }, { code: 'too long', weight: '1' }, 7],
		isAdmin: true,
	});
	expect([status, code]).toEqual([400, 'VALIDATION_ERROR']);
	expect(fields).toEqual([
		'bought INVALID_FORMAT',
		'isAdmin UNKNOWN_FIELD',
		'name REQUIRED',
		'owner.email INVALID_FORMAT',
		'owner.role UNKNOWN_FIELD',
		'owner.since REQUIRED',
		'parts[1].code INVALID_LENGTH',
		'parts[1].weight INVALID_FORMAT',
		'parts[2] INVALID_FORMAT',
		'size INVALID_FORMAT',
	]);
});

test.each<[string, object, string[]]>([
	['a missing field', { size: 3 }, ['name REQUIRED']],
	['null for a field', { ...good, name: null }, ['name INVALID_FORMAT']],
	['another type', { ...good, name: 7 }, ['name INVALID_FORMAT']],
	['a text that is too short once trimmed', { ...good, name: ' x  ' }, ['name INVALID_LENGTH']],
	['a text that is too long', { ...good, name: 'x'.repeat(21) }, ['name INVALID_LENGTH']],
	['a control character', { ...good, name: 'a\u001b[31mb' }, ['name INVALID_FORMAT']],
	['a number below the range', { ...good, size: 0 }, ['size INVALID_RANGE']],
	['a number above the range', { ...good, size: 11 }, ['size INVALID_RANGE']],
	['a fraction for a whole number', { ...good, size: 1.5 }, ['size INVALID_FORMAT']],
	['too many entries', { ...good, parts: Array(4).fill({ code: 'a', weight: 1 }) }, ['parts INVALID_LENGTH']],
	['an object for a list', { ...good, parts: { length: 1 } }, ['parts INVALID_FORMAT']],
	['the year 0', { ...good, bought: '0000-01-01' }, ['bought INVALID_RANGE']],
	[
		'the one branch of a union that fits',
		{ ...good, material: { wood: 7, iron: 1 } },
		['material.iron UNKNOWN_FIELD', 'material.wood INVALID_FORMAT'],
	],
	['no branch of a union', { ...good, material: 'oak' }, ['material INVALID_FORMAT']],
	['a missing discriminator', { ...good, colour: {} }, ['colour.kind REQUIRED']],
	['an unknown discriminator', { ...good, colour: { kind: 'x' } }, ['colour.kind INVALID_FORMAT']],
	[
		'the fields of the branch that the discriminator names',
		{ ...good, colour: { kind: 'mixed', shares: [1] } },
		['colour.shares INVALID_LENGTH'],
	],
	['the name constructor', { ...good, constructor: {} }, ['constructor UNKNOWN_FIELD']],
])('%s has its own code', async (_name, body, expected) => {
	const { status, code, fields } = await create(body);
	expect({ status, code, fields }).toEqual({ status: 400, code: 'VALIDATION_ERROR', fields: expected });
});

test.each([
	['a list', []],
	['a text', '"x"'],
	['null', 'null'],
	['a number', '1'],
])('%s as body is wrong as a whole', async (_name, body) => {
	const { code, fields } = await create(body as object);
	expect([code, fields]).toEqual(['VALIDATION_ERROR', [' INVALID_FORMAT']]);
});

test('a response that lists invalid fields does not grow with the request', async () => {
	const names = Array.from({ length: 6_000 }, (_, index) => [`field${index}`, 0]);
	const many = await create(Object.fromEntries(names));
	const long = await create({ [`${'x'.repeat(90_000)}`]: 0 });
	expect(many.fields).toHaveLength(100);
	expect(many.text.length).toBeLessThan(20_000);
	expect([long.status, long.text.length < 2_000]).toEqual([400, true]);
});

describe('fields that only the server sets', () => {
	const put = (body: object) => toys.send('PUT', `/toys/${toyId}`, { body });

	test('may be sent back unchanged', async () => {
		const { status, data } = await put({ ...good, id: toyId, version: 3 });
		expect([status, data['version']]).toEqual([200, 4]);
	});

	test('are refused when they differ, each by name', async () => {
		const { status, code, fields } = await put({ ...good, id: 'other', version: '3' });
		expect([status, code, fields]).toEqual([
			400,
			'VALIDATION_ERROR',
			['id UNKNOWN_FIELD', 'version UNKNOWN_FIELD'],
		]);
	});

	test('are unknown where a route does not name them', async () => {
		expect((await create({ ...good, id: toyId })).fields).toEqual(['id UNKNOWN_FIELD']);
	});
});

describe('path parameters', () => {
	test.each(['1', 'undefined', `${toyId}0`, `${toyId}%00`, '%C3%A4', '__proto__', "'--", '%5B%5D'])(
		'%s is no id',
		async (id) => {
			const { status, code, fields } = await toys.send('GET', `/toys/${id}`);
			expect([status, code, fields]).toEqual([400, 'INVALID_ID', ['id INVALID_FORMAT']]);
		},
	);

	test('an id in capitals is the same id', async () => {
		expect((await toys.send('GET', `/toys/${toyId.toUpperCase()}`)).status).toBe(200);
	});

	test('a valid id without a record is not found', async () => {
		const { status, code } = await toys.send('GET', `/toys/${toyId.replace('0', '1')}`);
		expect([status, code]).toEqual([404, 'NOT_FOUND']);
	});
});
