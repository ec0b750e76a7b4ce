import { type Route, routesWith } from '@paddock/service';
import { z } from 'zod';
import type { AttachedContexts } from '../attached/attached-contexts.ts';
import type { Context } from '../contexts/context.ts';
import { instantDate } from '../health/breaker-schemas.ts';
import { type OperationsAccess, officersUnless } from './operations-access.ts';

export interface ContextsDeps {
	readonly contexts: readonly Context[];
	readonly attachedContexts?: AttachedContexts | undefined;
	readonly now: () => Date;
}

const problems = z.array(z.string());

const contextState = z
	.strictObject({
		name: z.string().describe('Name of the context.'),
		prefix: z.string().describe('Path prefix of its requests.'),
		service: z.string().describe('Name of its service in the registry.'),
		attached: z.boolean().describe('Whether `CONTEXTS_FILE` attaches it.'),
		operations: z.int().min(0).describe('Number of paths in its contract.'),
		contract: z
			.strictObject({
				source: z
					.enum(['project', 'file', 'service'])
					.meta({ id: 'ContractSource', description: 'Where the contract comes from.' }),
				path: z
					.string()
					.nullable()
					.describe('File, or path at the service; null for a context of this project.'),
				hash: z
					.string()
					.nullable()
					.describe(
						'Beginning of the SHA-256 of the contract in use; null if none is known, or of this project.',
					),
				confirmedAt: instantDate.nullable().describe('When the source last confirmed the contract in use.'),
				ageSeconds: z.number().min(0).nullable().describe('Seconds since then.'),
				problems: problems.describe(
					'Why the contract in use is not the present one of the source; empty if it is.',
				),
				uncheckedPatterns: z
					.array(z.string())
					.describe('Regular expressions of the contract that the gateway leaves to the service.'),
			})
			.meta({ id: 'ContractState', description: 'Contract of a context.' }),
	})
	.meta({ id: 'ContextState', description: 'One context and its contract.' });

const contextStates = z
	.strictObject({
		file: z
			.strictObject({
				path: z.string().describe('`CONTEXTS_FILE`.'),
				problems: problems.describe('Why the present file is not used; empty if it is.'),
			})
			.meta({ id: 'ContextsFileState', description: 'File that attaches contexts.' })
			.nullable()
			.describe('File that attaches contexts; null without one.'),
		contexts: z.array(contextState).describe('Contexts of this deployment.'),
	})
	.meta({
		id: 'ContextStates',
		description: 'Contexts, and where their contracts come from.',
		example: {
			file: { path: '/etc/paddock/contexts.yaml', problems: [] },
			contexts: [
				{
					name: 'farriers',
					prefix: '/api/farriers',
					service: 'farriers',
					attached: true,
					operations: 2,
					contract: {
						source: 'service',
						path: '/openapi.json',
						hash: '9f86d081884c7d65',
						confirmedAt: '2026-03-01T08:00:00.000Z',
						ageSeconds: 12,
						problems: [],
						uncheckedPatterns: [],
					},
				},
			],
		},
	});

const route = routesWith<ContextsDeps>('operations');

/** `/contexts`: the contexts with the source, hash, age and problems of their contracts. */
export function contextsRoute(
	prefix: `/${string}`,
	{ detailsArePublic }: OperationsAccess,
): Route<ContextsDeps> {
	return route({
		method: 'get',
		path: `${prefix}/contexts`,
		operationId: 'contexts',
		summary: 'Contexts, with the source, age and problems of their contracts',
		description: 'For officers and administrators only where details of health are.',
		...officersUnless(detailsArePublic),
		output: contextStates,
		message: 'The contexts and their contracts',
		handler: (_request, { contexts, attachedContexts, now }) => ({
			file:
				attachedContexts?.file === undefined
					? null
					: { path: attachedContexts.file, problems: [...attachedContexts.fileProblems()] },
			contexts: contexts.map((context) => ({
				name: context.name,
				prefix: context.prefix,
				service: context.service,
				attached: context.attached !== undefined,
				operations: context.paths.length,
				contract: contractOf(context, attachedContexts, now()),
			})),
		}),
	});
}

function contractOf({ name }: Context, attached: AttachedContexts | undefined, now: Date) {
	const state = attached?.states().find(({ context }) => context === name);
	if (state === undefined) {
		const unknown = { path: null, hash: null, confirmedAt: null, ageSeconds: null };
		return { source: 'project' as const, ...unknown, problems: [], uncheckedPatterns: [] };
	}
	const { source, hash = null, confirmedAt = null } = state;
	const ageMs = confirmedAt === null ? null : Math.max(0, now.getTime() - confirmedAt.getTime());
	return {
		...{ source: source.kind, path: source.path, hash, confirmedAt },
		ageSeconds: ageMs === null ? null : Math.round(ageMs / 100) / 10,
		problems: [...state.problems],
		uncheckedPatterns: [...state.unchecked],
	};
}
