import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { toyRoutes } from '../../test/toy-routes.ts';
import type { Route } from '../routes/route.ts';
import { openApiDocument } from './openapi.ts';

const routes = toyRoutes as readonly Route<never>[];
const describing = (described: typeof routes) =>
	openApiDocument({
		title: 'Toys',
		version: '1.0.0',
		description: 'For tests',
		tags: [{ name: 'toys', description: 'Toys' }],
		routes: described,
	});

// As it is published: no schema objects, nothing undefined.
const json = JSON.parse(JSON.stringify(describing(routes)));

function operation(path: string, method: string) {
	const found = json.paths[path]?.[method];
	if (found === undefined) throw new Error(`${method} ${path} is not documented`);
	return found;
}

/** The component that a reference names; anything else itself. */
function resolved(part: { $ref?: string }) {
	if (part.$ref === undefined) return part;
	const [, , kind = '', name = ''] = part.$ref.split('/');
	return json.components[kind][name];
}

test('is valid OpenAPI, references and all', async () => {
	const api = await SwaggerParser.validate(structuredClone(json));
	expect(Object.keys(api.paths ?? {})).toHaveLength(new Set(routes.map((route) => route.path)).size);
});

test('names reused schemas', () => {
	expect(Object.keys(json.components.schemas)).toEqual(
		expect.arrayContaining(['Toy', 'ToyBody', 'OfficeBody', 'Failure', 'FieldError']),
	);
	const body = operation('/toys', 'post').requestBody.content['application/json'].schema;
	expect(body).toEqual({ $ref: '#/components/schemas/ToyBody' });
});

test('every example is valid for its schema', () => {
	const shown = routes.flatMap((route) => [route.output, ...(route.body === undefined ? [] : [route.body])]);
	const examples = shown.flatMap((schema) => {
		const example = schema.meta()?.['example'];
		return example === undefined ? [] : [schema.safeParse(example)];
	});
	expect(examples.length).toBeGreaterThan(2);
	for (const result of examples) expect(result.error).toBeUndefined();
});

test('describes both media types, the data of a 503, and an optional token', () => {
	const content = operation('/picture', 'get').responses['200'].content;
	expect(Object.keys(content)).toEqual(['application/json', 'text/html']);
	const { schema } = operation('/box', 'get').responses['503'].content['application/json'];
	const [report, failure] = resolved(schema).anyOf;
	const [envelope, { properties }] = resolved(report).allOf;
	expect(resolved(envelope).properties).toMatchObject({ success: { enum: [false] } });
	expect(properties).toMatchObject({ data: { properties: { full: { type: 'boolean' } } } });
	expect(failure).toEqual({ $ref: '#/components/schemas/Failure' });
	expect(operation('/whoami/always', 'get').security).toEqual([{}, { bearer: [] }]);
	expect(operation('/box', 'get').security).toEqual([]);
});

// Those that several operations have.
const successes = ['AnythingResult', 'ToyWithETagResult'];

describe('a success of several operations', () => {
	test('is one component, named for its data and headers', () => {
		for (const [path, method] of [
			['/toys/{id}', 'get'],
			['/toys/{id}', 'put'],
		] as const)
			expect(operation(path, method).responses[200]).toEqual({
				$ref: '#/components/responses/ToyWithETagResult',
			});
		expect(json.components.responses.ToyWithETagResult).toEqual({
			description: 'OK',
			headers: { ETag: { $ref: '#/components/headers/ETag' } },
			content: { 'application/json': { schema: { $ref: '#/components/schemas/ToyEnvelope' } } },
		});
		expect(operation('/whoami', 'get').responses[200]).toEqual({
			$ref: '#/components/responses/AnythingResult',
		});
		expect(operation('/document', 'get').responses[200]).not.toHaveProperty('$ref');
	});

	const several = (name: string, count: number, declared: Partial<Route<never>> = {}) => {
		const [first] = routes;
		if (first === undefined) throw new Error('no routes');
		const { etag: _etag, ...route } = first;
		const output = z.strictObject({ name: z.string() }).meta({ id: name });
		return Array.from({ length: count }, (_, index) => ({
			...route,
			...declared,
			output,
			path: `/${name}/${String(declared.status)}/${index}/{id}` as const,
		}));
	};
	const namesOf = (described: typeof routes) => Object.keys(describing(described).components.responses);

	test('keeps its name when other operations are added', () => {
		const swings = several('Swing', 2, { etag: 'content' });
		const others = [...several('Slide', 3), ...several('Swing', 3, { status: 201, etag: 'content' })];
		expect(namesOf([...swings, ...others])).toEqual(expect.arrayContaining(namesOf(swings)));
		expect(namesOf([...others, ...swings])).toEqual(
			expect.arrayContaining([...namesOf(swings), 'SlideResult', 'SwingCreatedWithETagResult']),
		);
	});

	test('takes no name of a failure', () => {
		expect(namesOf(several('NotFound', 2))).toEqual(expect.arrayContaining(['NotFound', 'NotFoundResult']));
	});
});

describe('the failures of an operation', () => {
	const statuses = (path: string, method: string) => Object.keys(operation(path, method).responses);
	const shared = json.components.responses;

	test('are its own statuses, and `default` for any operation’s', () => {
		expect(statuses('/toys/{id}', 'put')).toEqual(['200', '400', '404', '409', '412', 'default']);
		expect(statuses('/toys/{id}', 'get')).toEqual(['200', '304', '404', 'default']);
		expect(statuses('/office', 'post')).toEqual(expect.arrayContaining(['400', '403', '409']));
		expect(statuses('/members', 'get')).not.toContain('403');
		expect(statuses('/toys', 'post')).toContain('201');
		expect(statuses('/toys', 'post')).not.toContain('200');
	});

	test('refer to one response per status', () => {
		expect(operation('/toys/{id}', 'put').responses[412]).toEqual({
			$ref: '#/components/responses/PreconditionFailed',
		});
		const failures = Object.keys(shared).filter((name) => !successes.includes(name));
		expect(failures.sort()).toEqual(
			[
				'AnyFailure',
				'BadRequest',
				'Conflict',
				'Forbidden',
				'NotFound',
				'NotModified',
				'PreconditionFailed',
			].sort(),
		);
	});

	test('list their codes, each defined once', () => {
		expect(operation('/office', 'post')['x-error-codes']).toContain('TOY_BROKEN');
		expect(json['x-error-codes'].TOY_BROKEN).toEqual({ status: 409, message: 'The toy is broken.' });
		expect(operation('/toys', 'post')['x-error-codes']).toEqual(['VALIDATION_ERROR']);
		expect(shared.AnyFailure['x-error-codes']).toEqual(
			expect.arrayContaining(['MALFORMED_JSON', 'INVALID_QUERY_PARAMETER', 'TOKEN_EXPIRED', 'RATE_LIMITED']),
		);
		for (const code of shared.AnyFailure['x-error-codes']) expect(json['x-error-codes']).toHaveProperty(code);
	});

	test('with one code and several messages show the most general one, and list the others', () => {
		const [first] = routes;
		if (first === undefined) throw new Error('no routes');
		const errors = { FORBIDDEN: { status: 403, message: 'The toy is asleep.' } };
		const { components, 'x-error-codes': codes } = describing([
			{ ...first, errors },
		]) as unknown as typeof json;
		const message = 'Your roles do not allow this.';
		expect(codes.FORBIDDEN).toEqual({ status: 403, message, otherMessages: ['The toy is asleep.'] });
		const { example } = components.responses.Forbidden.content['application/json'];
		expect(example.message).toBe(message);
	});

	test('with one code and several statuses are refused', () => {
		const [first] = routes;
		if (first === undefined) throw new Error('no routes');
		const errors = { NOT_FOUND: { status: 410, message: 'Gone' } };
		expect(() => describing([{ ...first, errors }])).toThrow('NOT_FOUND has the statuses 404 and 410');
	});
});

test('lists the roles that may call', () => {
	expect(operation('/toys', 'get').security).toEqual([]);
	expect(operation('/members', 'get').security).toBeUndefined();
	expect(json.security).toEqual([{ bearer: [] }]);
	expect(operation('/office', 'post')['x-roles']).toEqual(['FEDERATION_OFFICER', 'ADMIN']);
});

test('lists parameters with their types, and the conditional headers that a route honours', () => {
	const named = (path: string, method: string) =>
		new Map<string, { in: string; required?: boolean; schema: object }>(
			operation(path, method).parameters.map((reference: object) => {
				const parameter = resolved(reference);
				return [parameter.name, parameter];
			}),
		);
	expect(named('/toys', 'get').get('size')).toMatchObject({
		in: 'query',
		schema: { type: 'integer', minimum: 1, maximum: 200 },
	});
	expect(named('/toys', 'get').get('size')).not.toHaveProperty('required');
	expect(named('/toys/{id}', 'put').get('id')).toMatchObject({ in: 'path', required: true });
	expect([...named('/toys/{id}', 'put').keys()]).toContain('If-Match');
	expect([...named('/toys/{id}', 'get').keys()]).toContain('If-None-Match');
});

test('parameters and headers of several operations are components', () => {
	const ids = routes.filter(({ params }) => params !== undefined && 'id' in params.shape);
	expect(ids.length).toBeGreaterThan(1);
	for (const { path, method } of ids)
		expect(operation(path, method).parameters).toContainEqual({ $ref: '#/components/parameters/id' });
	expect(json.components.headers.ETag).toMatchObject({ schema: { type: 'string' } });
});

test('parameters of one name are components if their values have names', () => {
	const [first] = routes;
	if (first === undefined) throw new Error('no routes');
	const listing = (...names: readonly string[]) =>
		names.flatMap((name) => {
			const status = z.enum(['NEW', 'OLD']).meta({ id: `${name}Status` });
			const query = z.strictObject({ status: status.optional() });
			return [1, 2].map((index) => ({ ...first, query, path: `/${name}/${index}/{id}` as const }));
		});
	const { components } = describing(listing('Swing', 'Slide'));
	expect(Object.keys(components.parameters)).toEqual(
		expect.arrayContaining(['id', 'SwingStatusParameter', 'SlideStatusParameter']),
	);
});

describe('a further route', () => {
	const listing = (club: z.ZodOptional, ...paths: readonly `/${string}`[]) => {
		const [first] = routes;
		if (first === undefined) throw new Error('no routes');
		return paths.map((path) => ({ ...first, path, query: z.strictObject({ clubId: club }) }));
	};
	const members = z.uuid().optional().describe('Members of this club.');
	const horses = z.uuid().optional().describe('Horses of this club.');
	const before = listing(members, '/members/{id}', '/members/{id}/export');

	// Regression: the most frequent parameter got the name, so a third list of horses renamed that of the members.
	test('changes no component of others', () => {
		const { components } = describing(before);
		const after = describing([...before, ...listing(horses, '/horses/{id}')]).components;
		expect(after).toMatchObject(components);
		const named = horses.meta({ param: { componentName: 'startingClubId' } });
		const { parameters } = describing([
			...before,
			...listing(named, '/a/{id}', '/b/{id}', '/c/{id}'),
		]).components;
		expect(parameters).toMatchObject(components.parameters);
		expect(parameters['startingClubId']).toEqual(
			expect.objectContaining({ name: 'clubId', description: 'Horses of this club.' }),
		);
		expect(JSON.stringify(parameters)).not.toContain('componentName');
	});

	test('is refused if its parameter has the name of another one', () => {
		expect(() => describing([...before, ...listing(horses, '/a/{id}', '/b/{id}', '/c/{id}')])).toThrow(
			'called clubId',
		);
	});

	test('is refused if its schema has the name of another one', () => {
		const [first] = routes;
		if (first === undefined) throw new Error('no routes');
		const named = (shape: z.ZodRawShape, path: `/${string}`) => ({
			...first,
			path,
			output: z.object(shape).meta({ id: 'Paddock' }),
		});
		const [one, other] = [named({ a: z.string() }, '/a/{id}'), named({ b: z.string() }, '/b/{id}')];
		expect(() => describing([one, other])).toThrow('called Paddock');
	});
});

test('a success is an envelope, a document is not', () => {
	const success = resolved(operation('/toys/{id}', 'put').responses[200]);
	const schema = success.content['application/json'].schema;
	expect(schema).toEqual({ $ref: '#/components/schemas/ToyEnvelope' });
	expect(resolved(schema).allOf).toEqual([
		{ $ref: '#/components/schemas/Success' },
		{ required: ['data'], properties: { data: { $ref: '#/components/schemas/Toy' } } },
	]);
	expect(json.components.schemas.Success.required).toEqual(['success', 'data', 'message', 'timestamp']);
	expect(Object.keys(success.headers)).toEqual(['ETag']);
	expect(Object.keys(operation('/toys', 'post').responses[201].headers)).toEqual(['Location']);
	const { content } = operation('/document', 'get').responses[200];
	expect(content['application/jwk-set+json'].schema.required).toEqual(['keys']);
});

test('bodies forbid unknown properties, responses leave room for those of later versions', () => {
	expect(json.components.schemas.ToyBody.additionalProperties).toBe(false);
	expect(json.components.schemas.ToyBody.properties.owner.additionalProperties).toBe(false);
	for (const name of ['Toy', 'Success', 'Failure', 'FieldError'])
		expect(json.components.schemas[name]).not.toHaveProperty('additionalProperties');
	expect(JSON.stringify(json.paths)).not.toContain('additionalProperties');
});

describe('a schema that extends another one', () => {
	const base = z
		.strictObject({ name: z.string(), colour: z.string().optional() })
		.meta({ id: 'Base', example: { name: 'Swing' } });
	const extended = (shape: z.core.$ZodShape, meta: object = {}) =>
		z.strictObject(shape).meta({ id: 'Extended', extends: 'Base', description: 'More.', ...meta });
	const schemasOf = (schema: z.ZodType, more: Partial<Route<never>> = {}) => {
		const [first] = routes;
		if (first === undefined) throw new Error('no routes');
		return describing([{ ...first, output: z.union([base, schema]), ...more }]).components.schemas;
	};
	const note = z.string().optional();

	test('lists its own properties only', () => {
		const schemas = schemasOf(extended({ size: z.int(), ...base.shape, note }));
		const own = { size: { type: 'integer', format: 'int64' }, note: { type: 'string' } };
		expect(schemas['Extended']).toEqual({
			allOf: [{ $ref: '#/components/schemas/Base' }, { type: 'object', properties: own, required: ['size'] }],
			description: 'More.',
		});
		expect(schemasOf(extended({ ...base.shape, note }))['Extended']).not.toHaveProperty('allOf.1.required');
	});

	test('shows its own properties and values only', () => {
		const schema = extended({ ...base.shape, size: z.int() }, { example: { name: 'Swing', size: 3 } });
		expect(schemasOf(schema)['Extended']).toHaveProperty('allOf.1.example', { size: 3 });
		expect(schemasOf(schema)['Extended']).not.toHaveProperty('example');
		const other = extended({ ...base.shape }, { example: { name: 'Slide' } });
		expect(schemasOf(other)['Extended']).toHaveProperty('allOf.1.example', { name: 'Slide' });
	});

	test.each([
		['lacks a property', extended({ name: z.string(), size: z.int() })],
		['declares one differently', extended({ ...base.shape, name: z.int() })],
		['needs one that the other does not need', extended({ ...base.shape, colour: z.string() })],
	])('is refused if it %s', (_name, schema) => {
		expect(() => schemasOf(schema)).toThrow('Extended does not extend Base.');
	});

	test('is refused if a body has it, whose properties are all that are allowed', () => {
		const schema = extended({ ...base.shape, size: z.int() });
		expect(() => schemasOf(schema, { method: 'put', body: base })).toThrow('Extended does not extend Base.');
	});
});

test('a schema in bodies and in responses forbids them', () => {
	const [first] = routes;
	if (first === undefined) throw new Error('no routes');
	const box = z.strictObject({ full: z.boolean() }).meta({ id: 'Box' });
	const body = z.strictObject({ boxes: z.array(box) }).meta({ id: 'BoxesBody' });
	const { components } = describing([{ ...first, method: 'put', body, output: z.strictObject({ box }) }]);
	expect(components.schemas['Box']).toHaveProperty('additionalProperties', false);
});
