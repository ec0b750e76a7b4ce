import { createDatabase, type Database, type Migration, migrateToLatest } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import type { DatabaseTemplate } from './test-database.ts';

/** The template of a context: a database with its migrations and with what `fill` puts in, e.g. its seed. */
export function migratedTemplate<Schema>(
	name: string,
	migrations: Record<string, Migration>,
	fill?: (db: Database<Schema>) => Promise<unknown>,
): DatabaseTemplate {
	return {
		name,
		prepare: async (url) => {
			const db = openTestPool<Schema>(url);
			await migrateToLatest(db, migrations, silentLogger());
			await fill?.(db);
			await db.destroy();
		},
	};
}

/** A pool of a test's own, beside that of the service under test. Destroy it. */
export function openTestPool<Schema>(url: string): Database<Schema> {
	return createDatabase<Schema>({ url, poolMax: 4, applicationName: 'test', logger: silentLogger() });
}
