import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { declaredFieldsOf } from './declared-fields.ts';
import { renamed } from './former-names.ts';
import { updatesWith } from './route.ts';
import { type Update, updateOf } from './update.ts';

const body = z
	.strictObject({
		name: z.string().min(1),
		breed: z.string().nullable().default(null),
		isPony: z.boolean().default(false),
		heightCm: z.int().nullable().default(null),
		number: z.string().optional(),
		address: z
			.strictObject({ street: z.string(), stateCode: z.string().nullable().default(null) })
			.nullable()
			.default(null),
		tags: z.array(z.string()).default([]),
		scopes: z.strictObject({ club: z.strictObject({ ids: z.array(z.string()) }).optional() }).default({}),
	})
	.refine(({ isPony, heightCm }) => !isPony || heightCm !== null, {
		path: ['heightCm'],
		message: 'is required',
	});
const output = z.strictObject({ id: z.string(), ...body.shape, status: z.string(), version: z.int() });

const [put] = updatesWith<unknown>('horses')({
	path: '/horses/{id}',
	operationId: 'replaceHorse',
	writers: 'anyone',
	summary: 'Change a horse',
	access: 'public',
	body,
	output,
	message: 'Horse updated',
	handler: async () => stored,
});
const stored = {
	id: 'a',
	name: 'Feder',
	breed: 'Haflinger',
	isPony: true,
	heightCm: 140,
	number: '7',
	address: { street: 'Hof 1', stateCode: 'AT-3' },
	tags: ['x', 'y'],
	scopes: { club: { ids: ['1'] } },
	status: 'ACTIVE',
	version: 3,
};
const { id: _i, status: _s, version: _v, ...writable } = stored;

function update(sent: unknown): Update<unknown> {
	if (put === undefined) throw new TypeError('An update is two routes.');
	return updateOf(put, sent);
}
const failure = (data: object) => expect.objectContaining(data);

describe('an update changes what its body names', () => {
	test.each<[string, object, object]>([
		['nothing', {}, {}],
		['one field', { name: 'Flocke' }, { name: 'Flocke' }],
		['null clears', { breed: null }, { breed: null }],
		['null is the default of a field that has another one', { isPony: null }, { isPony: false }],
		['null removes an optional field', { number: null }, { number: undefined }],
		[
			'one field of an object',
			{ address: { street: 'Hof 2' } },
			{ address: { street: 'Hof 2', stateCode: 'AT-3' } },
		],
		[
			'null inside of an object',
			{ address: { stateCode: null } },
			{ address: { street: 'Hof 1', stateCode: null } },
		],
		['null removes inside of an object', { scopes: { club: null } }, { scopes: {} }],
		['a whole object', { address: null }, { address: null }],
		['a list is replaced', { tags: ['z'] }, { tags: ['z'] }],
		['server-owned fields that are repeated', { id: 'a', status: 'ACTIVE', version: 3 }, {}],
	])('%s', (_name, sent, changed) => {
		expect(update(sent).onto(stored)).toEqual({ ...writable, ...changed });
	});

	test('an object that the record does not have yet is complete in the body', () => {
		const without = { ...stored, address: null };
		expect(update({ address: { street: 'Hof 1' } }).onto(without)).toMatchObject({
			address: { street: 'Hof 1', stateCode: null },
		});
		expect(() => update({ address: { stateCode: 'AT-3' } }).onto(without)).toThrow(
			failure({ code: 'VALIDATION_ERROR', errors: [failure({ field: 'address.street', code: 'REQUIRED' })] }),
		);
	});
});

describe('a renamed field', () => {
	const contact = z.strictObject({ phoneNumber: renamed(z.string().nullable().default(null), 'phone') });
	const [route] = updatesWith<unknown>('contacts')({
		path: '/contacts/{id}',
		operationId: 'replaceContact',
		writers: 'anyone',
		summary: 'Change a contact',
		access: 'public',
		body: contact,
		output: contact,
		message: 'Contact updated',
		handler: async () => ({ phoneNumber: null }),
	});

	test.each<[object, string | null]>([
		[{ phone: '2' }, '2'],
		[{ phoneNumber: '2' }, '2'],
		[{ phone: null }, null],
		// A client that sends back what it read, with one of both changed.
		[{ phone: '2', phoneNumber: '1' }, '2'],
		[{ phone: '1', phoneNumber: '2' }, '2'],
	])('may have its former name: %j', (sent, phoneNumber) => {
		if (route === undefined) throw new TypeError('An update is two routes.');
		expect(updateOf(route, sent).onto({ phoneNumber: '1' })).toEqual({ phoneNumber });
	});

	test('is repeated under its former name in responses', () => {
		expect(declaredFieldsOf(contact)?.({ phoneNumber: '1' })).toEqual({ phoneNumber: '1', phone: '1' });
		expect(declaredFieldsOf(contact, false)?.({ phoneNumber: '1' })).toEqual({ phoneNumber: '1' });
	});
});

describe('an update is refused', () => {
	test.each<[string, unknown, string]>([
		['an unknown field', { colour: 'brown' }, 'colour'],
		['an unknown field of an object', { address: { town: 'x' } }, 'address.town'],
		['a wrong type', { name: 7 }, 'name'],
		['null for a required field', { name: null }, 'name'],
		['a list', [], ''],
		['text', 'x', ''],
		['null', null, ''],
	])('%s, whatever the record', (_name, sent, field) => {
		expect(() => update(sent)).toThrow(failure({ code: 'VALIDATION_ERROR', errors: [failure({ field })] }));
	});

	test('a server-owned field with another value', () => {
		expect(() => update({ status: 'RETIRED' }).onto(stored)).toThrow(
			failure({ errors: [failure({ field: 'status', code: 'UNKNOWN_FIELD' })] }),
		);
		expect(() => update({ status: 'RETIRED' }).onto(stored, ['status'])).not.toThrow();
	});

	test('what breaks a rule together with stored fields', () => {
		expect(() => update({ heightCm: null }).onto(stored)).toThrow(
			failure({ errors: [failure({ field: 'heightCm' })] }),
		);
	});
});

describe('a record that another request changes in between', () => {
	test.each<[string, object]>([
		['a field', { breed: 'Noriker' }],
		['an object', { address: { street: 'Hof 9' } }],
		['a list', { tags: ['z'] }],
	])('is a conflict if the update names the field: %s', (_name, sent) => {
		const change = update(sent);
		change.onto(stored);
		const other = { ...stored, breed: 'Lipizzaner', address: { street: 'Au 3', stateCode: null }, tags: [] };
		expect(() => change.onto({ ...other, version: 4 })).toThrow(
			failure({ code: 'CONFLICT', status: 409, context: { fields: Object.keys(sent) } }),
		);
	});

	test('keeps its other fields, and two equal changes are none', () => {
		const change = update({ breed: 'Noriker' });
		change.onto(stored);
		const other = { ...stored, name: 'Flocke', breed: 'Noriker', version: 4 };
		expect(change.onto(other)).toMatchObject({ name: 'Flocke', breed: 'Noriker' });
	});
});
