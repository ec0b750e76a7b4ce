import type { Queryable } from '@paddock/database';
import { sql } from 'kysely';

/** The tables of a database that contain a text in any column and any case, in the order of their names. */
export async function tracesOf<Schema>(db: Queryable<Schema>, text: string): Promise<readonly string[]> {
	const tables = await sql<{ tableName: string }>`
		select table_name from information_schema.tables
		where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`.execute(db);
	const found: string[] = [];
	for (const { tableName } of tables.rows) {
		const { rows } = await sql`
			select 1 from ${sql.id(tableName)} as stored where stored::text ilike ${`%${text}%`} limit 1`.execute(
			db,
		);
		if (rows.length > 0) found.push(tableName);
	}
	return found;
}
