import {
	type Reference,
	type ReferenceType,
	referencesPath,
	referencesScope,
	referenceTypes,
} from '@paddock/contract';
import { z } from 'zod';
import { type Route, routesWith } from './route.ts';
import { id } from './schemas.ts';

/** Counts the rows that refer to a record, including drafts and soft-deleted ones: they can be shown or restored. */
export type CountReferences<Deps> = (deps: Deps, reference: Reference) => Promise<number>;

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
 * owner deletes it. Every type is declared, `none` if the context has no such references: a new type must not count as
 * unused because a context was forgotten.
 */
export function referencesRoute<Deps>(
	counters: Readonly<Record<ReferenceType, CountReferences<Deps> | 'none'>>,
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
		handler: async ({ query: { codes = [], ...record } }, deps) => {
			const count = counters[record.type];
			return { count: count === 'none' ? 0 : await count(deps, { ...record, codes }) };
		},
	});
}
