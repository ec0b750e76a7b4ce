import type { Reference, ReferenceType } from '@paddock/contract';
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

/**
 * For each type of record an expression such as `(select count(*) from clubs)` that counts the rows that refer to one,
 * including drafts and soft-deleted rows: they can be shown or restored. `none` if the context has no such references;
 * every type is declared, so that a new one doesn't count as unused because a context was forgotten.
 */
export type ReferenceCounts = Readonly<
	Record<ReferenceType, ((reference: Reference) => RawBuilder<unknown>) | 'none'>
>;

/** The number of references of this context to a record. */
export async function countReferences(
	db: QueryExecutorProvider,
	counts: ReferenceCounts,
	reference: Reference,
): Promise<number> {
	const expression = counts[reference.type];
	if (expression === 'none') return 0;
	const { rows } = await sql<{ count: number }>`select ${expression(reference)} as count`.execute(db);
	return rows[0]?.count ?? 0;
}
