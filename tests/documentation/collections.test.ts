import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { declaredRoutes, internalRoutes } from '../../scripts/contexts/context-routes.ts';

// Whatever a collection lacks, a client that synchronises or searches cannot get in another way.
interface Schema {
	readonly $ref?: string;
	readonly allOf?: readonly Schema[];
	readonly anyOf?: readonly Schema[];
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly items?: Schema;
}

interface Parameter {
	readonly $ref?: string;
	readonly name: string;
	readonly in: string;
	readonly explode?: boolean;
	readonly schema: Schema & { readonly type?: string };
}

interface Response {
	readonly $ref?: string;
	readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
	readonly operationId: string;
	readonly parameters?: readonly Parameter[];
	readonly responses: Readonly<Record<string, Response>>;
}

const document = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'), {
	maxAliasCount: -1,
}) as {
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

function resolved<Part extends { readonly $ref?: string }>(part: Part): Part {
	if (part.$ref === undefined) return part;
	const [, , kind = '', name = ''] = part.$ref.split('/');
	return resolved(document.components[kind]?.[name] as Part);
}

/** The properties of a schema; of alternatives those that all have. */
function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
	const { allOf = [], properties = {} } = resolved(schema);
	return Object.assign({}, ...allOf.map(propertiesOf), properties) as Record<string, Schema>;
}

function requiredOf(schema: Schema): readonly string[] {
	const { allOf = [], required = [] } = resolved(schema);
	return [...allOf.flatMap(requiredOf), ...required];
}

/** The schema of a listed record; undefined of an operation that returns no page. */
function listedBy({ responses }: Operation): Schema | undefined {
	const { content = {} } = resolved(responses['200'] ?? {});
	const envelope = content['application/json']?.schema;
	const data = envelope && propertiesOf(envelope)['data'];
	const { items, pagination } = data === undefined ? {} : propertiesOf(data);
	return pagination === undefined ? undefined : items && resolved(items).items;
}

function parametersOf({ parameters = [] }: Operation): readonly Parameter[] {
	return parameters.map(resolved).filter((parameter) => parameter.in === 'query');
}

const collections = Object.entries(document.paths).flatMap(([path, { get }]) => {
	const record = get && listedBy(get);
	// A history has entries that never change, newest first.
	const isLog = path.endsWith('/history');
	return get === undefined || record === undefined || isLog ? [] : [{ path, operation: get, record }];
});

describe.each(collections)('$path', ({ operation, record }) => {
	const parameters = parametersOf(operation);

	test('is searched, sorted, synchronised and read by cursor', () => {
		const names = parameters.map(({ name }) => name);
		expect(names).toEqual(expect.arrayContaining(['q', 'updatedSince', 'sort', 'cursor', 'page', 'size']));
	});

	test('is sorted by the times of its records', () => {
		const { schema } = parameters.find(({ name }) => name === 'sort') ?? {};
		const { enum: fields } = resolved(schema?.items ?? {}) as { enum?: readonly string[] };
		expect(fields).toEqual(expect.arrayContaining(['createdAt', '-createdAt', 'updatedAt', '-updatedAt']));
	});

	test('has records with the times of creation and last change', () => {
		expect(requiredOf(record)).toEqual(expect.arrayContaining(['id', 'createdAt', 'updatedAt', 'version']));
	});

	test('has filters by id and enumeration that take several values', () => {
		const filters = parameters.filter(({ schema }) => {
			const { format, enum: values, type } = resolved(schema) as Readonly<Record<string, unknown>>;
			return format === 'uuid' || (values !== undefined && type === 'string');
		});
		expect(filters.map(({ name }) => name)).toEqual([]);
	});
});

test('finds the collections of all contexts', () => {
	const contexts = new Set(collections.map(({ path }) => path.split('/').slice(0, 3).join('/')));
	expect([...contexts].sort()).toEqual([
		'/api/events',
		'/api/horses',
		'/api/masterdata',
		'/api/members',
		'/auth/member-links',
		'/auth/users',
	]);
	expect(collections.length).toBeGreaterThanOrEqual(20);
});

// The compiler requires it of `route` and `update`; this finds routes that are made in another way.
test('each write states who of the callers with access may write', () => {
	const routes = [...Object.values(declaredRoutes).flat(), ...internalRoutes];
	const silent = routes.filter(({ method, writers }) => method !== 'get' && writers === undefined);
	expect(silent.map(({ operationId }) => operationId)).toEqual([]);
});
