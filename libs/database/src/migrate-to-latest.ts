import type { Logger } from '@paddock/telemetry';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { queryTimeLimit } from './query-time-limit.ts';

/** A migration statement may rebuild a table, or wait for another process to finish migrating. */
const statementTimeoutMs = 300_000;

/**
 * Migrates the database to the last of `migrations` (name → migration, applied in the order of the names). Several
 * processes may call it at once: an advisory lock serialises them. All pending migrations run in one transaction, so a
 * failure leaves the database unchanged.
 * @throws Error naming the migration that failed, with the database's error as its cause.
 */
export async function migrateToLatest<Schema>(
	db: Kysely<Schema>,
	migrations: Record<string, Migration>,
	logger: Logger,
): Promise<void> {
	await db.connection().execute(async (connection) => {
		await sql`set statement_timeout = ${sql.lit(statementTimeoutMs)}`.execute(connection);
		try {
			const migrator = new Migrator({
				db: connection.withoutPlugins(),
				provider: { getMigrations: async () => migrations },
			});
			await queryTimeLimit.run(statementTimeoutMs, () => migrate(migrator, logger));
		} finally {
			// The connection itself may have failed; this error must not replace that of the migration.
			await sql`reset statement_timeout`.execute(connection).catch((error: unknown) => {
				logger.warn('the connection of the migrations was lost', { error });
			});
		}
	});
}

async function migrate(migrator: Migrator, logger: Logger): Promise<void> {
	const { error, results = [] } = await migrator.migrateToLatest();
	if (error !== undefined) {
		const failed = results.find((result) => result.status === 'Error');
		const subject = failed ? `migration ${failed.migrationName}` : 'the migrations';
		throw new Error(`${subject} failed`, { cause: error });
	}
	for (const result of results) logger.info('migration applied', { migration: result.migrationName });
}
