import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Context } from './context.ts';
import type { OpenapiDocument } from './openapi-document.ts';

/** The contracts in contracts/: an OpenAPI document for each context, and one for the gateway's own pages. */
export interface Contracts {
	/** All contexts that there are, sorted by name. `CONTEXTS` selects those of a deployment. */
	readonly contexts: readonly Context[];
	/** By the name of the context. */
	readonly documents: ReadonlyMap<string, OpenapiDocument>;
	readonly ownPages: OpenapiDocument;
}

/** Lists every contract that the gateway can't use. */
export class ContractsError extends Error {
	override readonly name = 'ContractsError';

	constructor(violations: readonly string[]) {
		super(['The contracts are not usable:', ...violations.map((violation) => `  ${violation}`)].join('\n'));
	}
}

const committed = new URL('../../../contracts/', import.meta.url);
const ownName = 'gateway';

/** The contexts that have a contract, sorted; the default of `CONTEXTS`. */
export function contextNames(folder = committed): readonly string[] {
	return readdirSync(folder)
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.slice(0, -'.json'.length))
		.filter((name) => name !== ownName)
		.sort();
}

/** Reads all contracts. @throws ContractsError listing every violation of all of them */
export async function readContracts(folder = committed): Promise<Contracts> {
	const violations: string[] = [];
	const read = async <T>(name: string, parse: (document: unknown) => T): Promise<T | undefined> => {
		try {
			return parse(JSON.parse(await readFile(new URL(`${name}.json`, folder), 'utf8')));
		} catch (error) {
			const causes = error instanceof z.ZodError ? error.issues.map(issueText) : [String(error)];
			violations.push(...causes.map((cause) => `${name}.json: ${cause}`));
			return undefined;
		}
	};
	const ownPages = await read(ownName, (document) => document as OpenapiDocument);
	const found = await Promise.all(contextNames(folder).map((name) => read(name, contractOf)));
	const contracts = found.filter((contract) => contract !== undefined);
	if (violations.length > 0 || ownPages === undefined) throw new ContractsError(violations);
	return {
		contexts: contracts.map(({ context }) => context),
		documents: new Map(contracts.map(({ context, document }) => [context.name, document])),
		ownPages,
	};
}

const issueText = ({ path, message }: z.core.$ZodIssue) => `${path.join('.')}: ${message}`;

const address = z.templateLiteral(['/', z.string()]);
const security = z.array(z.record(z.string(), z.array(z.string())));
const operation = z.looseObject({
	security: security.optional(),
	/** The gateway may store the responses, which depend on the path and the query alone; of the query, on `parameters` if given. */
	'x-cache': z.strictObject({ parameters: z.array(z.string()).optional() }).optional(),
});
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof methods)[number];

const contractSchema = z
	.looseObject({
		openapi: z.string().regex(/^3\.0\./, 'must be a version 3.0.x'),
		security,
		paths: z.record(address, z.partialRecord(z.enum(methods), operation)),
		'x-gateway': z.strictObject({
			name: z.string(),
			summary: z.string(),
			prefix: address,
			alsoAt: z.array(address).optional(),
			service: z.string(),
			critical: z.boolean(),
			checksSessions: z.literal(true).optional(),
			responseTimeoutMs: z.number().int().positive().optional(),
		}),
	})
	.superRefine(({ paths, 'x-gateway': { prefix, alsoAt = [] } }, { addIssue }) => {
		for (const path of Object.keys(paths) as `/${string}`[])
			if (path !== prefix && !path.startsWith(`${prefix}/`) && !alsoAt.includes(path))
				addIssue({ code: 'custom', path: ['paths', path], message: `must be below ${prefix}` });
	});

/** The context of a contract, and its document without what only the gateway reads. @throws ZodError */
export function contractOf(content: unknown): {
	readonly context: Context;
	readonly document: OpenapiDocument;
} {
	const { paths, security: usual, 'x-gateway': gateway } = contractSchema.parse(content);
	const routes = Object.entries(paths).flatMap(([path, item]) =>
		methods.flatMap((method) => {
			const found = item[method];
			return found === undefined ? [] : [{ path: path as `/${string}`, method, ...found }];
		}),
	);
	const cached = routes.filter((route) => route.method === 'get' && route['x-cache'] !== undefined);
	const context: Context = {
		...gateway,
		publicRoutes: routes
			.filter((route) => isPublic(route.security ?? usual))
			.map(({ method, path }) => `${method.toUpperCase() as Uppercase<Method>} ${path}` as const),
		paths: [...new Set(routes.map(({ path }) => path))],
		cachedPaths: cached.map(({ path }) => path),
		cachedParameters: Object.fromEntries(
			cached.flatMap(({ path, 'x-cache': { parameters } = {} }) =>
				parameters === undefined ? [] : [[path, parameters]],
			),
		),
	};
	const { 'x-gateway': _, ...document } = content as OpenapiDocument;
	return { context, document: document as OpenapiDocument };
}

/** OpenAPI 3.0.3 §4.8.30.3: none of the requirements, or an empty one, means that no token is needed. */
function isPublic(requirements: z.output<typeof security>): boolean {
	return requirements.length === 0 || requirements.some((each) => Object.keys(each).length === 0);
}
