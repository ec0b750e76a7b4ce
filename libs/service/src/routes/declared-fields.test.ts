import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { declaredFieldsOf } from './declared-fields.ts';

const owner = z.strictObject({ name: z.string() });
interface Node {
	name: string;
	sire?: Node | undefined;
}
const node: z.ZodType<Node> = z.strictObject({ name: z.string(), sire: z.lazy(() => node).optional() });
const secret = { name: 'Feder', secret: 'x' };

test.each<[string, z.ZodType, unknown, unknown]>([
	['an object', owner, secret, { name: 'Feder' }],
	['z.object', z.object({ name: z.string() }), secret, { name: 'Feder' }],
	['a list', z.array(owner), [secret], [{ name: 'Feder' }]],
	['a field', z.strictObject({ owner }), { owner: secret, x: 1 }, { owner: { name: 'Feder' } }],
	[
		'a field that may be null',
		z.strictObject({ owner: owner.nullable() }),
		{ owner: secret },
		{ owner: { name: 'Feder' } },
	],
	['null', z.strictObject({ owner: owner.nullable().optional() }), { owner: null }, { owner: null }],
	[
		'a page',
		z.strictObject({ items: z.array(owner) }),
		{ items: [secret], secret },
		{ items: [{ name: 'Feder' }] },
	],
	[
		'views',
		z.union([owner, z.strictObject({ id: z.string() })]),
		{ ...secret, id: 'a' },
		{ name: 'Feder', id: 'a' },
	],
	[
		'views with different parts',
		z.union([z.strictObject({ a: owner }), z.strictObject({ a: z.strictObject({ id: z.string() }) })]),
		{ a: { ...secret, id: 'a' } },
		{ a: { name: 'Feder', id: 'a' } },
	],
	['values by key', z.record(z.string(), owner), { a: secret }, { a: { name: 'Feder' } }],
	[
		'a tree',
		node,
		{ ...secret, sire: { ...secret, sire: secret } },
		{ name: 'Feder', sire: { name: 'Feder', sire: { name: 'Feder' } } },
	],
	['an absent field', z.strictObject({ name: z.string().optional() }), { secret: 1 }, {}],
])('%s has its declared fields only', (_name, schema, value, shown) => {
	expect(declaredFieldsOf(schema)?.(value)).toEqual(shown);
});

test.each<[string, z.ZodType]>([
	['any data', z.any()],
	['text', z.string()],
	['an open object', z.looseObject({ name: z.string() })],
	['a list of texts', z.array(z.string())],
])('%s is returned as it is', (_name, schema) => {
	expect(declaredFieldsOf(schema)).toBeUndefined();
});
