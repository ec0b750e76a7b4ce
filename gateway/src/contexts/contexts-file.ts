import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Context } from './context.ts';
import { address, issueText } from './contracts.ts';

// YAML 1.1 reads `on` and `off` as booleans, YAML 1.2 as texts.
const onOff = z.union([z.boolean(), z.enum(['on', 'off']).transform((text) => text === 'on')]);

function isLocation(contract: string): boolean {
	if (!contract.startsWith('file:')) return true;
	try {
		return fileURLToPath(contract) !== '';
	} catch {
		// Another host, such as that of `file://etc/x.yaml`.
		return false;
	}
}

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
		.max(1_000)
		.refine(isLocation, 'must be a path at the service, a file, or file:///…')
		.default('/openapi.json')
		.describe(
			'Its OpenAPI 3.0 or 3.1 document. With a slash at the beginning: the path at which the service returns it, as JSON. Otherwise a file, JSON or YAML: relative to this file, or `file:///…`.',
		),
	publicRoutes: z
		.array(z.string().regex(/^(?:GET|POST|PUT|PATCH|DELETE) \/\S*$/, 'must be such as GET /api/farriers'))
		.optional()
		.describe(
			'The only operations that may need no token, as `METHOD /path` of the contract; by default all that the contract declares so.',
		),
	healthPath: address
		.default('/health')
		.describe('Path at the service that responds with 200 while it works.'),
	envelope: z
		.enum(['keep', 'wrap'])
		.default('keep')
		.describe("`wrap`: JSON responses get the envelope of this system. `keep`: they are the service's own."),
	validate: z
		.preprocess((value) => (value === false ? 'off' : value), z.enum(['off', 'requests']))
		.default('off')
		.describe('`requests`: parameters and JSON bodies are checked against the contract.'),
	identityHeaders: onOff
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
	bodyBytesMax: z
		.int()
		.min(0)
		.max(1_073_741_824)
		.optional()
		.describe('Maximum size of a request body, if BODY_BYTES_MAX does not fit.'),
});

export const contextsFileSchema = z.array(entrySchema).max(200);
export function contextsFileText(): string {
	const schema = z.toJSONSchema(contextsFileSchema, { target: 'draft-7', io: 'input' });
	return `${JSON.stringify(schema, undefined, '\t')}\n`;
}

export type Entry = z.output<typeof entrySchema>;

export type ContractSource =
	| { readonly kind: 'service'; readonly path: string }
	| { readonly kind: 'file'; readonly path: string };

export function contractSource({ contract }: Pick<Entry, 'contract'>, file: string): ContractSource {
	if (contract.startsWith('/')) return { kind: 'service', path: contract };
	const path = contract.startsWith('file:') ? fileURLToPath(contract) : resolve(dirname(file), contract);
	return { kind: 'file', path };
}

export class ContextsFileError extends Error {
	override readonly name = 'ContextsFileError';
	readonly violations: readonly string[];

	constructor(violations: readonly string[]) {
		super(violations.join('; '));
		this.violations = violations;
	}
}

const fileBytesMax = 1024 * 1024;

/** The text of a file. @throws Error if it is larger, or no file: a device may be endless, and a pipe never be read to its end */
export async function limitedText(file: string, bytesMax: number): Promise<string> {
	const state = await stat(file);
	if (!state.isFile()) throw new Error('is not a file');
	if (state.size > bytesMax) throw new Error(`is larger than ${bytesMax} bytes`);
	return await readFile(file, 'utf8');
}

/** @param mayBeEmpty at the start; later an empty file is probably just being written. @throws ContextsFileError */
export async function readEntries(file: string, mayBeEmpty: boolean): Promise<readonly Entry[]> {
	try {
		const content: unknown = parse(await limitedText(file, fileBytesMax));
		if (content === null && !mayBeEmpty) throw new Error('is empty; [] detaches all contexts');
		return contextsFileSchema.parse(content ?? []);
	} catch (error) {
		throw new ContextsFileError(causesOf(error).map((cause) => `${file}: ${cause}`));
	}
}

export const causesOf = (error: unknown): string[] =>
	error instanceof z.ZodError
		? error.issues.map(issueText)
		: [error instanceof Error ? error.message : String(error)];

// As entries of health, or as addresses of the gateway's own pages.
const reservedNames: ReadonlySet<string> = new Set(['gateway', 'discovery']);
const ownPrefixes = [
	'/docs',
	'/swagger',
	'/health',
	'/openapi',
	'/postman',
	'/status',
	'/runbook',
	'/assets',
	'/.well-known',
	'/app',
];

/** What the entries claim that is not theirs: names, services and prefixes of other contexts and of the gateway's pages. */
export function conflictsOf(
	entries: readonly Entry[],
	others: readonly Context[],
	config: {
		readonly OPS_PREFIX: string;
		readonly BODY_BYTES_MAX: number;
		readonly BODY_BUFFER_BYTES_MAX: number;
	},
): string[] {
	const taken = [...ownPrefixes, config.OPS_PREFIX, ...others.flatMap(addressesOf)];
	const names = new Set([...reservedNames, ...others.map(({ name }) => name)]);
	const bytesMax = Math.max(config.BODY_BYTES_MAX, config.BODY_BUFFER_BYTES_MAX / 8);
	const services = new Set(['gateway', ...others.map(({ service }) => service)]);
	return entries.flatMap((entry) => {
		const { name, service, prefix, bodyBytesMax = 0 } = entry;
		const claimed = taken.find((other) => isWithin(other, prefix) || isWithin(prefix, other));
		const conflicts = [
			...(names.has(name) ? ['the name is taken'] : []),
			...(services.has(service) ? [`the service ${service} belongs to another context`] : []),
			...(claimed === undefined ? [] : [`${prefix} conflicts with ${claimed}`]),
			...(bodyBytesMax > bytesMax
				? [`bodyBytesMax must be at most an eighth of BODY_BUFFER_BYTES_MAX: ${bytesMax}`]
				: []),
		];
		names.add(name);
		services.add(service);
		taken.push(prefix);
		return conflicts.map((conflict) => `${name}: ${conflict}`);
	});
}

const addressesOf = ({ prefix, alsoAt = [] }: Context) => [prefix, ...alsoAt];

export const isWithin = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`);
