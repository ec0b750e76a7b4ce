import type { Migration } from 'kysely/migration';
import { createDatabase, type Database, type DatabaseOptions } from './database.ts';
import { migrateToLatest } from './migrate-to-latest.ts';
import { type SeedSet, seed } from './seed.ts';

export interface OpenDatabaseOptions<Schema> extends DatabaseOptions {
	/** See `migrateToLatest`. */
	readonly migrations: Record<string, Migration>;
	/** See `seed`. */
	readonly seedSets: readonly SeedSet<Schema>[];
}

/**
 * The database of a starting service: connects, migrates, seeds. @throws the database's error, after closing all
 * connections.
 */
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
