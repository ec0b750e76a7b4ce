import { sql } from 'kysely';
import type { Queryable } from './database.ts';

interface SchemaVersion {
	/** Migrations of this version that the database lacks. */
	readonly missing: readonly string[];
	/** Migrations of the database that this version doesn't know: those of a newer version. */
	readonly unknown: readonly string[];
}

/** Compares the migrations that the database has with those of this version. */
export async function schemaVersion<Schema>(
	db: Queryable<Schema>,
	migrations: Readonly<Record<string, unknown>>,
): Promise<SchemaVersion> {
	const names = Object.keys(migrations);
	const { rows: tables } = await sql<{ exists: boolean }>`
		select to_regclass('kysely_migration') is not null as exists`.execute(db);
	const { rows } = tables[0]?.exists
		? await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
		: { rows: [] };
	const applied = rows.map(({ name }) => name);
	return {
		missing: names.filter((name) => !applied.includes(name)).toSorted(),
		unknown: applied.filter((name) => !names.includes(name)),
	};
}
