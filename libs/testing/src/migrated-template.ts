import {
	createDatabase,
	type Database,
	type Migration,
	migrateToLatest,
	type SeedSet,
	seed,
} from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import type { DatabaseTemplate } from './test-database.ts';

/** The template database of a context: migrated and seeded. */
export function migratedTemplate<Schema>(
	name: string,
	migrations: Record<string, Migration>,
	seedSets: readonly SeedSet<Schema>[] = [],
): DatabaseTemplate {
	return {
		name,
		prepare: async (url) => {
			const db = openTestPool<Schema>(url);
			await migrateToLatest(db, migrations, silentLogger());
			if (seedSets.length > 0) await seed(db, seedSets, silentLogger());
			await db.destroy();
		},
	};
}

/** A connection pool for a test, separate from that of the service under test. The test must destroy it. */
export function openTestPool<Schema>(url: string): Database<Schema> {
	return createDatabase<Schema>({ url, poolMax: 4, applicationName: 'test', logger: silentLogger() });
}
