import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, test } from '@jest/globals';
import { toyRoutes } from '../test/toy-routes.ts';
import { openApiDocument } from './openapi.ts';
import type { Route } from './route.ts';

const routes = toyRoutes as readonly Route<never>[];
const document = openApiDocument({
	title: 'Toys',
	version: '1.0.0',
	description: 'For tests',
	tags: [{ name: 'toys', description: 'Toys' }],
	routes,
	own: [],
});

// As it is published: no schema objects, nothing undefined.
const json = JSON.parse(JSON.stringify(document));

function operation(path: string, method: string) {
	const found = json.paths[path]?.[method];
	if (found === undefined) throw new Error(`${method} ${path} is not documented`);
	return found;
}

const statuses = (path: string, method: string) => Object.keys(operation(path, method).responses).map(Number);

test('is valid OpenAPI, references and all', async () => {
	const api = await SwaggerParser.validate(structuredClone(json));
	expect(Object.keys(api.paths ?? {})).toHaveLength(new Set(routes.map((route) => route.path)).size);
});

test('names what is reused', () => {
	expect(Object.keys(json.components.schemas)).toEqual(
		expect.arrayContaining(['Toy', 'ToyBody', 'OfficeBody', 'Failure', 'FieldError']),
	);
	const body = operation('/toys', 'post').requestBody.content['application/json'].schema;
	expect(body).toEqual({ $ref: '#/components/schemas/ToyBody' });
});

test('every schema that has an example takes it', () => {
	const shown = routes.flatMap((route) => [route.output, ...(route.body === undefined ? [] : [route.body])]);
	const examples = shown.flatMap((schema) => {
		const example = schema.meta()?.['example'];
		return example === undefined ? [] : [schema.safeParse(example)];
	});
	expect(examples.length).toBeGreaterThan(2);
	for (const result of examples) expect(result.error).toBeUndefined();
});

describe('the statuses of an operation', () => {
	test('hold what the declaration says and whatever can come before the handler', () => {
		expect(statuses('/toys/{id}', 'put')).toEqual([
			200, 400, 404, 406, 408, 412, 413, 414, 415, 417, 429, 431, 500, 502, 503, 504,
		]);
		expect(statuses('/toys/{id}', 'get')).toEqual([
			200, 304, 400, 404, 406, 408, 414, 417, 429, 431, 500, 502, 503, 504,
		]);
		expect(statuses('/office', 'post')).toEqual(expect.arrayContaining([401, 403, 409, 413, 415]));
		expect(statuses('/members', 'get')).toContain(401);
		expect(statuses('/members', 'get')).not.toContain(403);
		expect(statuses('/toys', 'post')).toContain(201);
		expect(statuses('/toys', 'post')).not.toContain(200);
	});

	test('list their codes', () => {
		expect(operation('/office', 'post').responses[409].description).toContain('`TOY_BROKEN`');
		const { description } = operation('/toys', 'post').responses[400];
		for (const code of ['MALFORMED_JSON', 'VALIDATION_ERROR', 'INVALID_QUERY_PARAMETER'])
			expect(description).toContain(`\`${code}\``);
	});
});

test('tells who may call', () => {
	expect(operation('/toys', 'get').security).toEqual([]);
	expect(operation('/members', 'get').security).toEqual([{ bearer: [] }]);
	expect(operation('/office', 'post')['x-roles']).toEqual(['FEDERATION_OFFICER', 'ADMIN']);
});

test('tells parameters with their types, and the conditions that a route honours', () => {
	const named = (path: string, method: string) =>
		new Map<string, { in: string; required?: boolean; schema: object }>(
			operation(path, method).parameters.map((parameter: { name: string }) => [parameter.name, parameter]),
		);
	expect(named('/toys', 'get').get('size')).toMatchObject({
		in: 'query',
		required: false,
		schema: { type: 'integer', minimum: 1, maximum: 200 },
	});
	expect(named('/toys/{id}', 'put').get('id')).toMatchObject({ in: 'path', required: true });
	expect([...named('/toys/{id}', 'put').keys()]).toContain('If-Match');
	expect([...named('/toys/{id}', 'get').keys()]).toContain('If-None-Match');
});

test('a success is an envelope, a document is not', () => {
	const success = operation('/toys/{id}', 'put').responses[200];
	const envelope = success.content['application/json'].schema;
	expect(envelope.required).toEqual(['success', 'data', 'message', 'timestamp']);
	expect(Object.keys(success.headers)).toEqual(['ETag']);
	expect(Object.keys(operation('/toys', 'post').responses[201].headers)).toEqual(['Location']);
	const { content } = operation('/document', 'get').responses[200];
	expect(content['application/jwk-set+json'].schema.required).toEqual(['keys']);
});

test('a body says that it takes nothing unknown', () => {
	expect(json.components.schemas.ToyBody.additionalProperties).toBe(false);
});
