import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, test } from '@jest/globals';
import { type Page, pageOf } from '@paddock/contract';
import { default as draft04 } from 'ajv-draft-04';
import { default as addFormats } from 'ajv-formats';
import { parse } from 'yaml';
import { readOwnContracts } from '../../gateway/src/contexts/contracts.ts';
import { createRouteTable } from '../../gateway/src/contexts/route-table.ts';
import { inlineJsonSchema, jsonSchemaOf } from '../../libs/testing/src/openapi-check.ts';
import { declaredRoutes } from '../../scripts/contexts/context-routes.ts';
import { exampleOf } from '../../scripts/docs/example-of.ts';
import { openapiYaml } from '../../scripts/docs/openapi-text.ts';
import type { Schema } from '../../scripts/openapi-document.ts';

const committed = readFileSync(fileURLToPath(new URL('../../openapi.yaml', import.meta.url)), 'utf8');

type Document = Parameters<typeof SwaggerParser.validate>[0] & {
	openapi: string;
	paths: Record<
		string,
		Record<string, { operationId?: string; responses: Record<string, object>; 'x-error-codes'?: string[] }>
	>;
	components: {
		schemas: Record<string, Schema>;
		responses: Record<string, Body & { 'x-error-codes'?: string[] }>;
	};
	'x-error-codes': Record<string, { status: number }>;
};

interface Media {
	schema?: Schema;
	example?: unknown;
}

interface Body {
	$ref?: string;
	content?: Record<string, Media>;
}

const document = parse(committed) as Document;
const { schemas } = document.components;
const routes = Object.values(declaredRoutes).flat();
const anywhere = document.components.responses['AnyFailure']?.['x-error-codes'] ?? [];

describe('openapi.yaml', () => {
	test('matches the declarations', async () => {
		expect(committed).toBe(await openapiYaml());
	});

	test('is valid OpenAPI 3.0.3', async () => {
		expect(document.openapi).toBe('3.0.3');
		await SwaggerParser.validate(structuredClone(document));
	});

	// Responses to GET are compressed, so their length could reveal a secret (BREACH).
	test('returns no token to a GET', () => {
		const secret = /"(?:\w*token|\w*secret|\w*password)":/i;
		const returning = (method: string) =>
			Object.values(document.paths).flatMap((item) => {
				const { operationId, responses } = item[method] ?? { responses: {} };
				const media = Object.values(responses).flatMap((body) => Object.values(resolved(body).content ?? {}));
				const examples = media.map(({ schema = {} }) => exampleOf(schema, document.components.schemas));
				return secret.test(JSON.stringify(examples)) ? [operationId] : [];
			});
		expect(returning('get')).toEqual([]);
		expect(returning('post')).toEqual([
			'login',
			'refreshTokens',
			'completeSignIn',
			'completeSignInWithPasskey',
			'beginSignInEnrolment',
			'completeSignInEnrolment',
			'exchangeOidcCode',
			'linkOidcIdentity',
			'stepUp',
			'stepUpWithPasskey',
			'stepUpWithPassword',
			'beginTotpEnrolment',
		]);
	});

	test('has every declared route under an operationId of its own', () => {
		const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
		const ids = operations.map((operation) => operation.operationId);
		expect(new Set(ids).size).toBe(ids.length);
		for (const route of routes) {
			expect(document.paths[route.path]?.[route.method]?.operationId).toBe(route.operationId);
		}
	});

	test('says of every operation how it responds when it succeeds, is refused or cannot be reached', () => {
		for (const route of routes) {
			const operation = document.paths[route.path]?.[route.method];
			const statuses = Object.keys(operation?.responses ?? {});
			expect(statuses).toEqual(expect.arrayContaining([String(route.status ?? 200), 'default']));
			for (const [code, { status }] of Object.entries(route.errors ?? {})) {
				expect(document['x-error-codes'][code]?.status).toBe(status);
				if (anywhere.includes(code)) continue;
				expect([route.operationId, operation?.['x-error-codes']]).toEqual([
					route.operationId,
					expect.arrayContaining([code]),
				]);
				expect(statuses).toContain(String(status));
			}
		}
		expect(anywhere.map((code) => document['x-error-codes'][code]?.status)).toEqual(
			expect.arrayContaining([400, 401, 406, 408, 413, 414, 415, 417, 429, 431, 500, 502, 503, 504]),
		);
	});

	test('has an example for every body, requested and returned, and its schemas accept all of them', () => {
		const ajv = new draft04.default({ strict: false, allErrors: true });
		addFormats.default(ajv);
		ajv.addSchema({ id: 'openapi', components: jsonSchemaOf(document.components) });
		const bodies = bodiesOf(document);
		expect(bodies.length).toBeGreaterThan(150);
		for (const { at, media } of bodies) {
			const schema = media.schema ?? {};
			const example = media.example ?? exampleOf(schema, document.components.schemas);
			const validate = ajv.compile(inlineJsonSchema(schema, schemas));
			validate(example);
			expect([at, validate.errors ?? []]).toEqual([at, []]);
		}
	});

	test('has examples of pages that can exist: as many items as page, size and total say, and flags to match', () => {
		const pages = bodiesOf(document)
			.map(({ at, media }) => ({ at, example: media.example ?? exampleOf(media.schema ?? {}, schemas) }))
			.flatMap(({ at, example }) => {
				const { data } = (example ?? {}) as { data?: Partial<Page<unknown>> | null };
				return data?.pagination === undefined ? [] : [{ at, items: data.items, pagination: data.pagination }];
			});
		expect(pages.length).toBeGreaterThan(15);
		for (const { at, items = [], pagination } of pages) {
			const { page, size, totalElements } = pagination;
			const before = (page - 1) * size;
			const count = Math.min(size, totalElements - before);
			const nextCursor = before + count < totalElements ? (pagination.nextCursor ?? '') : undefined;
			const result = { before, totalElements, totalIsExact: true, nextCursor };
			expect([at, items.length, pagination]).toEqual([at, count, pageOf(items, size, result).pagination]);
		}
	});

	test('has examples that its own schemas accept', () => {
		const ajv = new draft04.default({ strict: false, allErrors: true });
		addFormats.default(ajv);
		ajv.addSchema({ id: 'openapi', components: jsonSchemaOf(document.components) });
		const withExample = Object.entries(document.components.schemas).filter(
			([, schema]) => schema.example !== undefined,
		);
		expect(withExample.length).toBeGreaterThan(5);
		for (const [name, schema] of withExample) {
			const validate = ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
			validate(schema.example);
			expect([name, validate.errors ?? []]).toEqual([name, []]);
		}
	});
});

const { contexts } = await readOwnContracts();

describe('the contracts', () => {
	const table = createRouteTable(contexts);

	test('are those of the contexts that have routes', () => {
		expect(contexts.map(({ name }) => name)).toEqual(Object.keys(declaredRoutes));
	});

	test.each(contexts.map((context) => [context.name, context] as const))(
		'have as public in %s what its routes declare as public',
		(name, context) => {
			const declared = (declaredRoutes[name] ?? [])
				.filter((route) => route.access === 'public')
				.map((route) => `${route.method.toUpperCase()} ${route.path}`);
			expect([...context.publicRoutes].sort()).toEqual(declared.sort());
		},
	);

	test('lead every declared route to the context that declares it', () => {
		for (const [name, declared] of Object.entries(declaredRoutes)) {
			for (const route of declared) {
				expect([route.path, table.contextOf(route.path)?.name]).toEqual([route.path, name]);
			}
		}
	});
});

function resolved(body: Body): Body {
	return document.components.responses[body.$ref?.split('/').at(-1) ?? ''] ?? body;
}

/** Every body of the document with its location; failures, which many operations share, are listed once. */
function bodiesOf({ paths, components }: Document): { at: string; media: Media }[] {
	const bodies: [string, Body][] = Object.entries(components.responses);
	for (const [path, item] of Object.entries(paths)) {
		for (const [method, operation] of Object.entries(item)) {
			const { requestBody, responses } = operation as { requestBody?: Body; responses: Record<string, Body> };
			if (requestBody !== undefined) bodies.push([`${method} ${path}`, requestBody]);
			for (const [status, body] of Object.entries(responses))
				bodies.push([`${method} ${path} ${status}`, /^[23]/.test(status) ? resolved(body) : body]);
		}
	}
	return bodies.flatMap(([at, body]) =>
		Object.entries(body.content ?? {}).map(([type, media]) => ({ at: `${at} ${type}`, media })),
	);
}
