import {
	type ReferencedRecord,
	type ReferencedType,
	referencedTypes,
	referencesPath,
	referencesScope,
} from '@paddock/contract';
import { id, type Route, routesWith } from '@paddock/service';
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';

/**
 * For each type of record an expression such as `(select count(*) from clubs)` that counts the rows that refer to one,
 * including drafts and soft-deleted rows; `none` if the context has no such references.
 */
export type ReferenceCounts = Readonly<
	Record<ReferencedType, ((record: ReferencedRecord) => RawBuilder<unknown>) | 'none'>
>;

const codeList = /^[A-Za-z0-9:_*-]+(,[A-Za-z0-9:_*-]+)*$/;

const query = z.strictObject({
	type: z.enum(referencedTypes),
	id,
	codes: z
		.string()
		.max(200, 'must have at most 200 characters')
		.regex(codeList, 'must be codes separated by commas')
		.transform((text) => text.split(','))
		.optional(),
});

const output = z.strictObject({ count: z.int().min(0) }).meta({ id: 'ReferenceCount' });

/** The internal route that reports the number of references to a record to its owner, before a deletion. */
export function referencesRoute<Deps extends { readonly db: QueryExecutorProvider }>(
	counts: ReferenceCounts,
): Route<Deps> {
	return routesWith<Deps>('internal')({
		method: 'get',
		path: referencesPath,
		operationId: 'countReferences',
		readers: 'services',
		summary: 'Count the references to a record of another context',
		access: { scope: referencesScope },
		query,
		output,
		message: 'References',
		handler: async ({ query: { type, id, codes = [] } }, { db }) => {
			const expression = counts[type];
			if (expression === 'none') return { count: 0 };
			const counted = sql<{ count: number }>`select ${expression({ type, id, codes })} as count`;
			const { rows } = await counted.execute(db);
			return { count: rows[0]?.count ?? 0 };
		},
	});
}
