import type { Migration } from 'kysely/migration';
import { createDatabase, type Database, type DatabaseOptions, poolMaxDefault } from './database.ts';
import { unfilledTables } from './filled-columns.ts';
import { inspectServer } from './inspect-server.ts';
import { migrateToLatest, schemaVersion } from './migrate-to-latest.ts';
import { type SeedSet, seed } from './seed.ts';
import { UnusableDatabaseError } from './server-urls.ts';

export interface OpenDatabaseOptions<Schema> extends DatabaseOptions {
	/** See `migrateToLatest`. */
	readonly migrations: Record<string, Migration>;
	/** Default: true. Otherwise the start is refused if the database lacks a migration. */
	readonly migrate?: boolean;
	/** The address for migrations, without a pooler; `url` by default. */
	readonly migrationUrl?: string | undefined;
	/** See `seed`. */
	readonly seedSets: readonly SeedSet<Schema>[];
}

/**
 * The database of a starting service: connects, checks the server, migrates or checks the schema, seeds. @throws the
 * database's error or UnusableDatabaseError, after closing all connections.
 */
export async function openDatabase<Schema>(options: OpenDatabaseOptions<Schema>): Promise<Database<Schema>> {
	const { migrations, migrate = true, migrationUrl, seedSets, ...rest } = options;
	const db = createDatabase<Schema>(rest);
	try {
		await inspectServer(db, rest.poolMax ?? poolMaxDefault, rest.logger);
		if (!migrate) await requireMigrations(db, migrations);
		else if (migrationUrl === undefined) await migrateToLatest(db, migrations, rest.logger);
		else await migrateDatabase({ ...rest, url: migrationUrl, migrations });
		await seed(db, seedSets, rest.logger);
		return db;
	} catch (error) {
		await db.destroy();
		throw error;
	}
}

/** Migrates over a connection of its own. @returns the names of the applied migrations @throws as `migrateToLatest` */
export async function migrateDatabase(
	options: Pick<DatabaseOptions, 'url' | 'applicationName' | 'logger'> & {
		readonly migrations: Record<string, Migration>;
	},
): Promise<string[]> {
	const { url, applicationName, logger, migrations } = options;
	const db = createDatabase<unknown>({ url, applicationName, logger, poolMax: 1 });
	try {
		return await migrateToLatest(db, migrations, logger);
	} finally {
		await db.destroy();
	}
}

async function requireMigrations<Schema>(
	db: Database<Schema>,
	migrations: Record<string, Migration>,
): Promise<void> {
	const { missing } = await schemaVersion(db, migrations);
	const remedy = 'run npm run migrate first, or set MIGRATE_ON_START=on';
	if (missing.length > 0)
		throw new UnusableDatabaseError(`the database lacks the migrations ${missing.join(', ')}; ${remedy}`);
	const unfilled = await unfilledTables(db, migrations);
	if (unfilled.length > 0)
		throw new UnusableDatabaseError(`columns of ${unfilled.join(', ')} are not filled yet; ${remedy}`);
}
