import type { Migration } from 'kysely/migration';
import { createDatabase, type Database, type DatabaseOptions } from './database.ts';
import { migrateToLatest } from './migrate-to-latest.ts';
import { type SeedSet, seed } from './seed.ts';

export interface OpenDatabaseOptions<Schema> extends DatabaseOptions {
	/** As in `migrateToLatest`. */
	readonly migrations: Record<string, Migration>;
	/** As in `seed`. */
	readonly seedSets: readonly SeedSet<Schema>[];
}

/** The database of a service that starts: connects, migrates, seeds. @throws what the database says; nothing is left open then. */
export async function openDatabase<Schema>(options: OpenDatabaseOptions<Schema>): Promise<Database<Schema>> {
	const { migrations, seedSets, ...rest } = options;
	const db = createDatabase<Schema>(rest);
	try {
		await migrateToLatest(db, migrations, rest.logger);
		await seed(db, seedSets, rest.logger);
		return db;
	} catch (error) {
		await db.destroy();
		throw error;
	}
}
