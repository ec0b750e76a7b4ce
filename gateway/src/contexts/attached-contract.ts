import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { type Entry, isWithin } from './contexts-file.ts';
import { dereferenced, mapReferences, referenceFaults, resolveReference } from './contract-references.ts';
import { address, type Contract, methods, operation, operationsOf, routesOf, security } from './contracts.ts';
import { isGatewayHeader } from './header-rules.ts';
import { asOpenapi30 } from './openapi-30.ts';
import type { OpenapiDocument } from './openapi-document.ts';
import { isObject, type Json, mapValues } from './openapi-schemas.ts';

const pathsMax = 1_000;
const pathCharsMax = 300;
const component = /^[\w.-]{1,200}$/;
// A part of a segment as a parameter (`/report.{format}`) would match other paths than the contract says.
const segment = /^(?:[\w.~!$&'()*+,=:@-]+|\{[\w.-]+\})$/;

const described = operation.extend({
	parameters: z.array(z.looseObject({})).max(200).optional(),
	requestBody: z.looseObject({}).optional(),
	responses: z.record(z.string(), z.looseObject({})).optional(),
	summary: z.string().max(500).optional(),
	operationId: z.string().max(200).optional(),
});

// Other members of a path item (parameters, summary, …) are passed on.
const pathItem = z.looseObject({
	get: described.optional(),
	post: described.optional(),
	put: described.optional(),
	patch: described.optional(),
	delete: described.optional(),
	trace: z.undefined('is not forwarded by the gateway').optional(),
	parameters: z.array(z.looseObject({})).max(200).optional(),
});

const documentSchema = z.looseObject({
	openapi: z.string().regex(/^3\.[01]\.\d/, 'must be a version 3.0.x or 3.1.x'),
	info: z.looseObject({ title: z.string().max(200), version: z.string().max(100) }),
	// Unlike in OpenAPI, an operation without security needs a token: an omission must not open it.
	security: security.min(1).optional(),
	paths: z.record(address, pathItem).default({}),
	components: z
		.record(
			z.string().regex(component),
			z.record(z.string().regex(component), z.looseObject({}).or(z.boolean())),
		)
		.default({}),
});
type Document = z.output<typeof documentSchema>;

/** The contract of an attached service, in several turns of the event loop. @throws ZodError; Error if it is too large */
export async function attachedContract(entry: Entry, content: unknown) {
	const fault = boundsFault(content);
	if (fault !== undefined) throw new Error(fault);
	await turn();
	// Without what YAML can write and JSON can't.
	const original = withCallersHeaders(withInlinePathItems(JSON.parse(JSON.stringify(content ?? null))));
	// Many paths may refer to one large item.
	const inlined = boundsFault(original);
	if (inlined !== undefined) throw new Error(inlined);
	await turn();
	const document = documentSchema
		.superRefine((parsed, { addIssue }) => {
			const add = (path: string[], message: string) => addIssue({ code: 'custom', path, message });
			for (const [path, message] of pathFaults(Object.keys(parsed.paths), entry))
				add(['paths', path], message);
			for (const message of referenceFaults(original as Json)) add([], message);
		})
		.parse(original);
	await turn();
	const usual = document.security ?? [{ bearer: [] }];
	const { publicRoutes, ...routes } = routesOf(document.paths, usual);
	const isOpen = (route: string) => entry.publicRoutes?.includes(route) ?? true;
	const open = publicRoutes.filter(isOpen);
	return {
		context: {
			...declaredContext(entry, document.info.title),
			...routes,
			publicRoutes: open,
			attached: { ...attachmentOf(entry), operations: operationRoles(document.paths) },
		},
		document: publishedDocument(entry.name, document, new Set(open)),
		original: original as Json,
	};
}

/** The context of an entry whose contract is not known yet: all of its paths respond with 503. */
export function contractOfUnknown(entry: Entry): Contract {
	const title = 'Its contract is not known yet.';
	return {
		context: {
			...declaredContext(entry, title),
			...{ publicRoutes: [], paths: [], cachedPaths: [], cachedParameters: {} },
			attached: { ...attachmentOf(entry), operations: undefined },
		},
		document: publishedDocument(
			entry.name,
			{ openapi: '3.0.3', info: { title, version: '0' }, paths: {}, components: {} },
			new Set(),
		),
	};
}

function declaredContext({ name, prefix, service, critical, responseTimeoutMs }: Entry, summary: string) {
	return { name, prefix, service, critical, responseTimeoutMs, summary };
}

function attachmentOf({ healthPath, identityHeaders, envelope, bodyBytesMax }: Entry) {
	return { healthPath, identityHeaders, wrapsResponses: envelope === 'wrap', bodyBytesMax };
}

function operationRoles(paths: Document['paths']) {
	return new Map(
		operationsOf(paths).map(({ route, declared }) => [route as string, declared['x-roles']] as const),
	);
}

/** Path items may be references (3.1: to components). Left as they are, their operations would not be seen. */
function withInlinePathItems(document: unknown): unknown {
	if (!isObject(document) || !isObject(document['paths'])) return document;
	return {
		...document,
		paths: mapValues(document['paths'], (item) => {
			if (!isObject(item) || typeof item['$ref'] !== 'string') return item;
			const { $ref: _, ...own } = item;
			const found = dereferenced(document, item);
			return isObject(found) ? { ...found, ...own } : item;
		}),
	};
}

/** Without parameters that are headers of the gateway: clients can't send them, and frameworks derive them from handlers. */
function withCallersHeaders(document: unknown): unknown {
	if (!isObject(document) || !isObject(document['paths'])) return document;
	const isCallers = (declared: unknown) => {
		const parameter = dereferenced(document, declared);
		if (!isObject(parameter) || parameter['in'] !== 'header') return true;
		return !isGatewayHeader(String(parameter['name']).toLowerCase());
	};
	const filtered = (part: unknown) =>
		isObject(part) && Array.isArray(part['parameters'])
			? { ...part, parameters: part['parameters'].filter(isCallers) }
			: part;
	return {
		...document,
		paths: mapValues(document['paths'], (item) => {
			const own = filtered(item);
			return isObject(own) ? mapValues(own, filtered) : own;
		}),
	};
}

function pathFaults(
	paths: readonly string[],
	{ prefix }: Entry,
): (readonly [path: string, message: string])[] {
	const shapes = new Map<string, string>();
	const faults = paths.slice(0, pathsMax).flatMap((path): (readonly [string, string])[] => {
		// Some programs ignore case in paths.
		const shape = path.replaceAll(/\{[^/]*\}/g, '{}').toLowerCase();
		const same = shapes.get(shape);
		shapes.set(shape, path);
		if (!isWithin(path, prefix)) return [[path, `must be below ${prefix}`]];
		if (path.length > pathCharsMax) return [[path, `must be at most ${pathCharsMax} characters long`]];
		const segments = path.slice(1).split('/');
		if (!segments.every((each) => segment.test(each) && each !== '.' && each !== '..'))
			return [[path, 'each segment must be a text or one parameter, without a slash at the end']];
		return same === undefined ? [] : [[path, `matches the same requests as ${same}`]];
	});
	return paths.length > pathsMax ? [...faults, ['', `must be at most ${pathsMax} paths`]] : faults;
}

/** The document as a part of the gateway's: OpenAPI 3.0.3, its own names for components, operations and tags. */
function publishedDocument(
	name: string,
	document: Pick<Document, 'openapi' | 'info' | 'paths' | 'components'>,
	open: ReadonlySet<string>,
): OpenapiDocument {
	const own = { ...document, paths: operationsOnly(document) };
	const renamed = withOwnNames(name, asOpenapi30(own as Json)) as unknown as Document;
	const byId = Map.groupBy(operationsOf(renamed.paths), ({ declared }) => declared.operationId);
	// Clients can't be generated from a document that has an id twice.
	const isOnly = (id: string | undefined) => id !== undefined && byId.get(id)?.length === 1;
	const paths = Object.entries(renamed.paths).map(([path, item]) => {
		const operations = methods.flatMap((method) => {
			const operation = item[method];
			if (operation === undefined) return [];
			const { security: __, operationId, servers: ___, callbacks: ____, ...declared } = operation;
			const published = {
				summary: path,
				responses: { default: { description: 'Any response.' } },
				...declared,
				operationId: `${name}_${isOnly(operationId) ? operationId : method + path.replaceAll(/\W+/g, '_')}`,
				tags: [name],
				...(open.has(`${method.toUpperCase()} ${path}`) ? { security: [] } : {}),
			};
			return [[method, published]];
		});
		return [path, Object.fromEntries(operations)];
	});
	const { securitySchemes: _, ...components } = renamed.components;
	return {
		openapi: '3.0.3',
		info: renamed.info,
		servers: [{ url: '/', description: 'This gateway' }],
		tags: [{ name, description: document.info.title }],
		security: [{ bearer: [] }],
		paths: Object.fromEntries(paths),
		components: mapValues(components, (named) =>
			Object.fromEntries(Object.entries(named as Json).map(([each, value]) => [`${name}.${each}`, value])),
		) as OpenapiDocument['components'],
		'x-error-codes': {},
	};
}

/** The operations that are forwarded, each with the parameters of its path: programs and pages that read the documents expect nothing else there. */
function operationsOnly(document: Pick<Document, 'paths' | 'components'>) {
	const keyOf = (declared: object) => {
		const parameter = dereferenced(document, declared);
		return isObject(parameter) ? `${parameter['in']} ${parameter['name']}` : '';
	};
	return mapValues(document.paths, (item) => {
		const { parameters: shared = [], ...operations } = item as z.output<typeof pathItem>;
		return Object.fromEntries(
			methods.flatMap((method) => {
				const declared = operations[method];
				if (declared === undefined) return [];
				const { parameters = [] } = declared;
				const keys = new Set(parameters.map(keyOf));
				const inherited = shared.filter((each) => !keys.has(keyOf(each)));
				return [[method, { ...declared, parameters: [...inherited, ...parameters] }]];
			}),
		);
	});
}

/** References and mappings lead to the names that components have in the merged document; links to operations are left out. */
function withOwnNames(name: string, document: Json): Json {
	const rename = (reference: string) =>
		reference.replace(/^#\/components\/(\w+)\//, `#/components/$1/${name}.`);
	const mapped = (target: unknown) => {
		if (typeof target !== 'string' || target.startsWith('#/')) return rename(String(target));
		const isName = resolveReference(document, `#/components/schemas/${target}`) !== undefined;
		return isName ? `#/components/schemas/${name}.${target}` : target;
	};
	return mapReferences(document, rename, ({ links: _, ...object }) => {
		const { discriminator } = object;
		if (!isObject(discriminator) || !isObject(discriminator['mapping'])) return object;
		return {
			...object,
			discriminator: { ...discriminator, mapping: mapValues(discriminator['mapping'], mapped) },
		};
	}) as Json;
}

const depthMax = 100;
const valuesMax = 150_000;

/** What is too large about a document of another project, without recursion. Aliases of YAML count per use. */
function boundsFault(content: unknown): string | undefined {
	let level: unknown[] = [content];
	let count = 0;
	for (let depth = 0; level.length > 0; depth += 1) {
		if (depth > depthMax) return `is nested more than ${depthMax} levels deep`;
		const next: unknown[] = [];
		for (const value of level) {
			if (typeof value !== 'object' || value === null) continue;
			const keys = Object.keys(value);
			count += keys.length;
			if (count > valuesMax) return `has more than ${valuesMax} values`;
			if (keys.includes('__proto__')) return 'must not have a member __proto__';
			for (const key of keys) next.push(Reflect.get(value, key));
		}
		level = next;
	}
	return undefined;
}
