import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Context } from './context.ts';
import {
	address,
	type Contract,
	type Contracts,
	ContractsError,
	isPublic,
	issueText,
	methods,
	operation,
	operationsOf,
	readOwnContracts,
	routesOf,
	security,
} from './contracts.ts';
import type { OpenapiDocument } from './openapi-document.ts';

/** One entry of CONTEXTS_FILE: a service of another project behind this gateway. Name, prefix and service are the operator's. */
const entrySchema = z.strictObject({
	name: z
		.string()
		.regex(/^[a-z][a-z0-9-]{0,30}$/, 'must be lower-case letters, digits and hyphens')
		.describe('Name of the context.'),
	prefix: address
		.refine(
			(prefix) => /^(?:\/[a-z0-9][a-z0-9-]*){1,2}$/.test(prefix),
			'must be one or two segments such as /api/farriers',
		)
		.describe('Path prefix of its requests; the service gets paths unchanged.'),
	service: z
		.string()
		.regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be a name in the registry')
		.describe('Name of the service in the registry.'),
	critical: z.boolean().default(false).describe('Whether the whole system counts as DOWN without it.'),
	contract: z
		.string()
		.min(1)
		.describe('File with its OpenAPI 3.0 document, JSON or YAML; relative to this file.'),
	healthPath: address
		.default('/health')
		.describe('Path at the service that responds with 200 while it works.'),
	identityHeaders: z
		.boolean()
		.default(false)
		.describe(
			'Whether requests carry X-User-Id and X-User-Roles in place of the token, for a service that cannot verify tokens.',
		),
	responseTimeoutMs: z
		.int()
		.min(50)
		.max(120_000)
		.optional()
		.describe('Timeout for the response headers, if RESPONSE_TIMEOUT_MS does not fit.'),
});

export const contextsFileSchema = z.array(entrySchema);
type Entry = z.output<typeof entrySchema>;

// As entries of health, or as addresses of the gateway's own pages.
const reservedNames: ReadonlySet<string> = new Set(['gateway', 'discovery']);
const ownPrefixes = [
	'/docs',
	'/swagger',
	'/health',
	'/openapi',
	'/postman',
	'/status',
	'/assets',
	'/.well-known',
];

/**
 * The contracts of the contexts of this project, and of the services that CONTEXTS_FILE lists.
 * @throws ContractsError listing every violation
 */
export async function readContracts(config: {
	readonly CONTEXTS_FILE?: string | undefined;
	readonly OPS_PREFIX: string;
}): Promise<Contracts> {
	const contracts = await readOwnContracts();
	const { CONTEXTS_FILE: file, OPS_PREFIX: opsPrefix } = config;
	if (file === undefined) return contracts;
	const violations: string[] = [];
	const entries = await readEntries(file, violations);
	const taken = [...ownPrefixes, opsPrefix, ...contracts.contexts.flatMap(addressesOf)];
	const names = new Set([...reservedNames, ...contracts.contexts.map(({ name }) => name)]);
	const services = new Set(contracts.contexts.map(({ service }) => service));
	const attached: Contract[] = [];
	for (const entry of entries) {
		const violated = (text: string) => violations.push(`${file}: ${entry.name}: ${text}`);
		if (names.has(entry.name)) violated('the name is taken');
		if (services.has(entry.service)) violated(`the service ${entry.service} belongs to another context`);
		const claimed = taken.find((other) => isWithin(other, entry.prefix) || isWithin(entry.prefix, other));
		if (claimed !== undefined) violated(`${entry.prefix} conflicts with ${claimed}`);
		names.add(entry.name);
		services.add(entry.service);
		taken.push(entry.prefix);
		const contract = await readContract(entry, resolve(dirname(file), entry.contract), violated);
		if (contract !== undefined) attached.push(contract);
	}
	if (violations.length > 0) throw new ContractsError(violations);
	return {
		...contracts,
		contexts: [...contracts.contexts, ...attached.map(({ context }) => context)],
		documents: new Map([
			...contracts.documents,
			...attached.map(({ context, document }) => [context.name, document] as const),
		]),
	};
}

const addressesOf = ({ prefix, alsoAt = [] }: Context) => [prefix, ...alsoAt];

const isWithin = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`);

async function readEntries(file: string, violations: string[]): Promise<readonly Entry[]> {
	try {
		return contextsFileSchema.parse(parse(await readFile(file, 'utf8')) ?? []);
	} catch (error) {
		violations.push(...causesOf(error).map((cause) => `${file}: ${cause}`));
		return [];
	}
}

async function readContract(
	entry: Entry,
	path: string,
	violated: (text: string) => void,
): Promise<Contract | undefined> {
	try {
		return attachedContract(entry, parse(await readFile(path, 'utf8')));
	} catch (error) {
		for (const cause of causesOf(error)) violated(`${path}: ${cause}`);
		return undefined;
	}
}

const causesOf = (error: unknown) =>
	error instanceof z.ZodError
		? error.issues.map(issueText)
		: [error instanceof Error ? error.message : String(error)];

// Other members of a path item (parameters, summary, …) are passed on.
const pathItem = z.looseObject({
	get: operation.optional(),
	post: operation.optional(),
	put: operation.optional(),
	patch: operation.optional(),
	delete: operation.optional(),
	trace: z.undefined('is not forwarded by the gateway').optional(),
});

const documentSchema = z.looseObject({
	openapi: z.string().regex(/^3\.0\./, 'must be a version 3.0.x'),
	info: z.looseObject({ title: z.string(), version: z.string() }),
	// Unlike in OpenAPI, an operation without security needs a token: an omission must not open it.
	security: security.min(1).optional(),
	paths: z.record(address, pathItem),
	components: z.record(z.string(), z.record(z.string(), z.looseObject({}))).default({}),
});

/** The contract of an attached service. @throws ZodError */
export function attachedContract(entry: Entry, content: unknown): Contract {
	const { name, healthPath, identityHeaders, contract: _, ...own } = entry;
	const document = documentSchema
		.superRefine(({ paths }, { addIssue }) => {
			for (const path of Object.keys(paths))
				if (!isWithin(path, entry.prefix))
					addIssue({ code: 'custom', path: ['paths', path], message: `must be below ${entry.prefix}` });
		})
		.parse(content);
	const usual = document.security ?? [{ bearer: [] }];
	const roles = operationsOf(document.paths).flatMap(({ route, declared }) => {
		const allowed = declared['x-roles'];
		return allowed === undefined ? [] : [[route, allowed] as const];
	});
	return {
		context: {
			...{ name, ...own, summary: document.info.title },
			...routesOf(document.paths, usual),
			attached: { healthPath, identityHeaders, roles: new Map(roles) },
		},
		document: publishedDocument(name, document as unknown as OpenapiDocument, usual),
	};
}

/**
 * The document as a part of the gateway's: components, operations and tags have names of their own, and an operation
 * needs this gateway's token or none.
 */
function publishedDocument(
	name: string,
	document: OpenapiDocument,
	usual: z.output<typeof security>,
): OpenapiDocument {
	const renamed = JSON.parse(
		JSON.stringify(document).replaceAll(/"#\/components\/(\w+)\/([^"/]+)"/g, `"#/components/$1/${name}.$2"`),
	) as z.output<typeof documentSchema>;
	const paths = Object.entries(renamed.paths).map(([path, { servers: _, ...item }]) => {
		const operations = methods.flatMap((method) => {
			const operation = item[method];
			if (operation === undefined) return [];
			const { security: required = usual, operationId, servers: __, ...declared } = operation;
			const published = {
				...declared,
				operationId: operationId === undefined ? undefined : `${name}_${operationId}`,
				tags: [name],
				...(isPublic(required) ? { security: [] } : {}),
			};
			return [[method, published]];
		});
		return [path, { ...item, ...Object.fromEntries(operations) }];
	});
	const { securitySchemes: _, ...components } = renamed.components;
	return {
		openapi: document['openapi'],
		info: document.info,
		servers: [{ url: '/', description: 'This gateway' }],
		tags: [{ name, description: document.info.title }],
		security: [{ bearer: [] }],
		paths: Object.fromEntries(paths),
		components: Object.fromEntries(
			Object.entries(components).map(([kind, named]) => [
				kind,
				Object.fromEntries(Object.entries(named).map(([each, value]) => [`${name}.${each}`, value])),
			]),
		),
		'x-error-codes': {},
	};
}
