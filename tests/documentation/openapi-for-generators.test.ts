import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { default as draft04 } from 'ajv-draft-04';
import { default as addFormats } from 'ajv-formats';
import { parse } from 'yaml';
import { inlineJsonSchema, jsonSchemaOf } from '../../libs/testing/src/openapi-check.ts';
import { exampleOf } from '../../scripts/docs/example-of.ts';
import type { OpenapiDocument, Schema } from '../../scripts/openapi-document.ts';

// Faults that generators of clients and validators of several languages have with a valid document, sought in all of it.
const text = readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8');
const document = parse(text) as OpenapiDocument;
const { components, paths } = document;
const { schemas } = components;
const operationIds = Object.values(paths).flatMap((item) =>
	Object.values(item).map(({ operationId }) => operationId),
);

type Found = readonly [at: string, schema: Schema];

const found: readonly Found[] = [...inside('components', components), ...inside('paths', paths)];

/** All schemas with their place; names of properties and examples are none. */
function inside(at: string, part: unknown, isNames = false): readonly Found[] {
	if (typeof part !== 'object' || part === null) return [];
	const own: readonly Found[] = isNames || Array.isArray(part) ? [] : [[at, part as Schema]];
	const parts = Object.entries(part).filter(([key]) => isNames || key !== 'example');
	return [
		...own,
		...parts.flatMap(([key, inner]) => inside(`${at}/${key}`, inner, !isNames && key === 'properties')),
	];
}

const placesOf = (isFaulty: (schema: Schema, at: string) => boolean) =>
	found.filter(([at, schema]) => isFaulty(schema, at)).map(([at]) => at);

/** As generators write names: without signs, in one case. */
const mangled = (name: string) => name.replaceAll(/\W|_/g, '').toLowerCase();

const repeated = (names: readonly string[]) =>
	[...Map.groupBy(names, mangled).values()].filter((same) => same.length > 1);

describe('openapi.yaml for generated clients', () => {
	test('has a reference without other keywords, and no default beside one', () => {
		expect(placesOf((schema) => schema.$ref !== undefined && Object.keys(schema).length > 1)).toEqual([]);
		expect(placesOf(({ allOf, default: value }) => allOf !== undefined && value !== undefined)).toEqual([]);
	});

	test('lists null in an enumeration that may be null', () => {
		const isWithoutNull = ({ nullable, enum: values }: Schema) =>
			nullable === true && values !== undefined && !values.includes(null);
		expect(placesOf(isWithoutNull)).toEqual([]);
		expect(found.filter(([, { nullable, enum: values }]) => nullable && values).length).toBeGreaterThan(0);
	});

	test('has no rule that binary fractions break', () => {
		expect(placesOf(({ multipleOf }) => multipleOf !== undefined && !Number.isInteger(multipleOf))).toEqual(
			[],
		);
		const ajv = new draft04.default({ strict: false });
		addFormats.default(ajv);
		ajv.addSchema({ id: 'openapi', components: jsonSchemaOf(components) });
		const owner = ajv.compile({ $ref: 'openapi#/components/schemas/HorseOwnerBody' });
		const arena = ajv.compile({ $ref: 'openapi#/components/schemas/ArenaBody' });
		for (let hundredths = 1; hundredths <= 10_000; hundredths += 1) {
			const externalParty = { name: 'Stall', countryCode: 'AT' };
			expect(owner({ externalParty, sharePercent: hundredths / 100 })).toBe(true);
			expect(
				arena({
					...(exampleOf({ $ref: '#/components/schemas/ArenaBody' }, schemas) as object),
					lengthM: hundredths / 100,
				}),
			).toBe(true);
		}
	});

	test('states the width of each number that exceeds 32 bits', () => {
		const isInt32 = ({ minimum = -Infinity, maximum }: Schema) =>
			minimum >= -(2 ** 31) && Number(maximum ?? Infinity) <= 2 ** 31 - 1;
		expect(placesOf((schema) => schema.type === 'number' && schema.format !== 'double')).toEqual([]);
		expect(
			placesOf(
				(schema, at) =>
					schema.type === 'integer' &&
					schema.format !== 'int64' &&
					!isInt32(schema) &&
					!at.includes('/headers/'),
			),
		).toEqual([]);
	});

	test('has a name once, whatever kind of component it names', () => {
		const kinds = ['schemas', 'parameters', 'responses', 'headers'];
		expect(repeated(kinds.flatMap((kind) => Object.keys(components[kind] ?? {})))).toEqual([]);
		expect(repeated(operationIds)).toEqual([]);
	});

	test('has no schema with a name that generators give to something else', () => {
		const names = Object.keys(schemas);
		const derived = [
			...names.flatMap((name) => [`New${name}`, `Nullable${name}`, `${name}WithDefaults`]),
			...operationIds.flatMap((id) =>
				['Request', 'Response', 'Params', 'JSONBody', 'JSONRequestBody'].map((end) => id + end),
			),
		].map(mangled);
		expect(names.filter((name) => derived.includes(mangled(name)))).toEqual([]);
	});

	test('has alternatives only as components, and none that another one contains', () => {
		const unions = found.filter(([, { anyOf, oneOf }]) => anyOf !== undefined || oneOf !== undefined);
		expect(unions.length).toBeGreaterThan(0);
		const ajv = new draft04.default({ strict: false });
		addFormats.default(ajv);
		ajv.addSchema({ id: 'openapi', components: jsonSchemaOf(components) });
		for (const [at, { anyOf = [] }] of unions) {
			expect(at).toMatch(/^components\/schemas\/\w+$/);
			const accepting = anyOf.map((example) =>
				anyOf.filter((schema) => ajv.compile(inlineJsonSchema(schema, schemas))(exampleOf(example, schemas))),
			);
			expect([at, accepting]).toEqual([at, anyOf.map((schema) => [schema])]);
		}
	});

	test('names each object', () => {
		const isInline = ({ type, properties }: Schema, at: string) =>
			type === 'object' && properties !== undefined && !/^components\/schemas\/\w+(\/allOf\/\d)?$/.test(at);
		expect(placesOf(isInline).filter((at) => !at.includes('/x-views/'))).toEqual([]);
	});

	test('has values of an enumeration, and properties of an object, whose names stay different', () => {
		const isAmbiguous = (schema: Schema) => {
			const names = (schema['x-enum-varnames'] ??
				schema.enum?.filter((value) => typeof value === 'string') ??
				[]) as string[];
			return repeated(names).length > 0 || names.some((name) => !/^[A-Za-z]/.test(name));
		};
		expect(placesOf(isAmbiguous)).toEqual([]);
		expect(placesOf(({ properties = {} }) => repeated(Object.keys(properties)).length > 0)).toEqual([]);
		expect(
			placesOf(
				(schema) =>
					schema['x-enum-varnames'] !== undefined &&
					(schema['x-enum-varnames'] as []).length !== schema.enum?.length,
			),
		).toEqual([]);
	});

	test('has patterns that the regular expressions of Java, Go and Python know', () => {
		const special = /\(\?(?!:)|\\[pPukx1-9bB](?!21|7e)|\[:|&&|--|\[\[/;
		expect(placesOf(({ pattern }) => typeof pattern === 'string' && special.test(pattern))).toEqual([]);
	});
});
