import { type Reference, referencesPath, referencesScope, referenceTypes } from '@paddock/contract';
import { z } from 'zod';
import { type Route, routesWith } from './route.ts';
import { id } from './schemas.ts';

const codeList = /^[A-Za-z0-9:_*-]+(,[A-Za-z0-9:_*-]+)*$/;

const query = z.strictObject({
	type: z.enum(referenceTypes),
	id,
	codes: z
		.string()
		.max(200, 'must have at most 200 characters')
		.regex(codeList, 'must be codes separated by commas')
		.transform((text) => text.split(','))
		.optional(),
});

const output = z.strictObject({ count: z.int().min(0) }).meta({ id: 'ReferenceCount' });

/**
 * The internal route by which a context reports its number of references to a record to the record's owner, before the
 * owner deletes it.
 */
export function referencesRoute<Deps>(
	count: (deps: Deps, reference: Reference) => Promise<number>,
): Route<Deps> {
	return routesWith<Deps>('internal')({
		method: 'get',
		path: referencesPath,
		operationId: 'countReferences',
		summary: 'Count the references to a record of another context',
		access: { scope: referencesScope },
		query,
		output,
		message: 'References',
		handler: async ({ query: { codes = [], ...record } }, deps) => ({
			count: await count(deps, { ...record, codes }),
		}),
	});
}
