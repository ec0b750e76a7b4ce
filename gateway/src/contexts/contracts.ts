import { readFile } from 'node:fs/promises';
import { roles } from '@paddock/identity';
import { StartFailure } from '@paddock/service';
import { z } from 'zod';
import type { Context } from './context.ts';
import { contextNames, contractsFolder, ownPagesName } from './context-names.ts';
import type { OpenapiDocument } from './openapi-document.ts';

export interface Contract {
	readonly context: Context;
	readonly document: OpenapiDocument;
}

/** The contracts in contracts/: an OpenAPI document for each context, and one for the gateway's own pages. */
export type Contracts = Awaited<ReturnType<typeof readOwnContracts>>;

/** Lists every contract that the gateway can't use. */
export class ContractsError extends StartFailure {
	override readonly name = 'ContractsError';

	constructor(violations: readonly string[]) {
		super(['The contracts are not usable:', ...violations.map((violation) => `  ${violation}`)].join('\n'));
	}
}

/** Reads all contracts. @throws ContractsError listing every violation of all of them */
export async function readOwnContracts(folder = contractsFolder) {
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
	const ownPages = await read(ownPagesName, (document) => document as OpenapiDocument);
	const found = await Promise.all(contextNames(folder).map((name) => read(name, contractOf)));
	const contracts = found
		.filter((contract) => contract !== undefined)
		.sort((one, other) => one.position - other.position);
	if (violations.length > 0 || ownPages === undefined) throw new ContractsError(violations);
	return {
		/** All contexts that there are, then the attached ones. `CONTEXTS` selects those of a deployment. */
		contexts: contracts.map(({ context }) => context),
		documents: new Map(contracts.map(({ context, document }) => [context.name, document])),
		ownPages,
	};
}

/** The contexts of a deployment: those that CONTEXTS selects, and the attached ones. */
export function deployedContexts(
	{ contexts }: Pick<Contracts, 'contexts'>,
	config: { readonly CONTEXTS: readonly string[] },
): readonly Context[] {
	return contexts.filter(({ name, attached }) => attached !== undefined || config.CONTEXTS.includes(name));
}

export const issueText = ({ path, message }: z.core.$ZodIssue) => `${path.join('.')}: ${message}`;

export const address = z.templateLiteral(['/', z.string()]);
export const security = z.array(z.record(z.string(), z.array(z.string())));
export const operation = z.looseObject({
	security: security.optional(),
	/** The gateway may store the responses, which depend on the path and the query alone; of the query, on `parameters` if given. */
	'x-cache': z.strictObject({ parameters: z.array(z.string()).optional() }).optional(),
	/** The roles that may call it; by default every signed-in user. */
	'x-roles': z.array(z.enum(roles)).min(1).optional(),
	operationId: z.string().optional(),
});
export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof methods)[number];
export type Operation = z.output<typeof operation>;

const contractSchema = z
	.looseObject({
		openapi: z.string().regex(/^3\.0\./, 'must be a version 3.0.x'),
		security,
		paths: z.record(address, z.partialRecord(z.enum(methods), operation)),
		'x-gateway': z.strictObject({
			name: z.string(),
			position: z.int().positive(),
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
export function contractOf(content: unknown): Contract & { readonly position: number } {
	const {
		paths,
		security: usual,
		'x-gateway': { position, ...gateway },
	} = contractSchema.parse(content);
	const { 'x-gateway': _, ...document } = content as OpenapiDocument;
	return {
		position,
		context: { ...gateway, ...routesOf(paths, usual) },
		document: document as OpenapiDocument,
	};
}

type Paths = Readonly<Record<`/${string}`, { readonly [M in Method]?: Operation | undefined }>>;

/** The routes that a contract declares. @param usual the security of operations without their own */
export function routesOf(
	paths: Paths,
	usual: z.output<typeof security>,
): Pick<Context, 'publicRoutes' | 'paths' | 'cachedPaths' | 'cachedParameters'> {
	const operations = operationsOf(paths);
	const cached = operations.filter(
		({ method, declared }) => method === 'GET' && declared['x-cache'] !== undefined,
	);
	return {
		publicRoutes: operations
			.filter(({ declared }) => isPublic(declared.security ?? usual))
			.map(({ route }) => route),
		paths: [...new Set(operations.map(({ path }) => path))],
		cachedPaths: cached.map(({ path }) => path),
		cachedParameters: Object.fromEntries(
			cached.flatMap(({ path, declared: { 'x-cache': { parameters } = {} } }) =>
				parameters === undefined ? [] : [[path, parameters]],
			),
		),
	};
}

export function operationsOf(paths: Paths) {
	return (Object.keys(paths) as `/${string}`[]).flatMap((path) =>
		methods.flatMap((name) => {
			const declared = paths[path]?.[name];
			const method = name.toUpperCase() as Uppercase<Method>;
			return declared === undefined ? [] : [{ path, method, route: `${method} ${path}` as const, declared }];
		}),
	);
}

/** OpenAPI 3.0.3 §4.8.30.3: none of the requirements, or an empty one, means that no token is needed. */
export function isPublic(requirements: z.output<typeof security>): boolean {
	return requirements.length === 0 || requirements.some((each) => Object.keys(each).length === 0);
}
