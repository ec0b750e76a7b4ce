import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

/** The value of an expression that counts rows, such as `(select count(*) from clubs)`. */
export async function countOf(db: QueryExecutorProvider, expression: RawBuilder<unknown>): Promise<number> {
	const { rows } = await sql<{ count: number }>`select ${expression} as count`.execute(db);
	return rows[0]?.count ?? 0;
}
