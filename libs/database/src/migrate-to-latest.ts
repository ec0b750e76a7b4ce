import type { Logger } from '@paddock/telemetry';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Migration as KyselyMigration, Migrator } from 'kysely/migration';
import { queryTimeLimit } from './bounded-pool.ts';
import { applySettings, buildIndexes } from './concurrent-indexes.ts';
import type { Queryable } from './database.ts';
import { fillColumns } from './filled-columns.ts';
import { retrying } from './large-tables.ts';
import { UnusableDatabaseError } from './server-urls.ts';

/** A migration statement may rebuild a table, or wait for another process to finish migrating. */
const statementTimeoutMs = 300_000;

// Kysely's own lock; versions before this one hold it during their migrations.
const lockKey = '3853314791062309107';

export interface Migration extends KyselyMigration {
	/** What an operator has to decide after the migration: one warning each. Called in the same transaction. */
	report?(db: Kysely<unknown>): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/**
 * Migrates the database to the last of `migrations` (name → migration, applied in the order of the names). Several
 * processes may call it at once: an advisory lock serialises them. All pending migrations run in one transaction, so a
 * failure leaves the database unchanged; lock and time limit end with it, so that a pooler's connection keeps neither.
 * Columns of `filledColumns`, and indexes and settings of `concurrentIndexes`, follow outside of it. Migrations of a newer version are left as they are (docs/operations.md, "Change the schema without downtime").
 * @returns the names of the applied migrations
 * @throws Error naming the migration that failed, with the database's error as its cause; UnusableDatabaseError if the
 * database has a migration that would have to come after a missing one.
 */
export async function migrateToLatest<Schema>(
	db: Kysely<Schema>,
	migrations: Record<string, Migration>,
	logger: Logger,
): Promise<string[]> {
	return await queryTimeLimit.run(statementTimeoutMs, async () => {
		const own = db.withoutPlugins();
		// Another process may build an index of a table that a migration changes, and wait for the snapshot of the transaction.
		const applied = await retrying(() =>
			own.transaction().execute(async (transaction) => {
				await sql`set local statement_timeout = ${sql.lit(statementTimeoutMs)}`.execute(transaction);
				// A migration changes how records are stored, not what they say.
				await sql`set local paddock.history = 'off'`.execute(transaction);
				await sql`select pg_advisory_xact_lock(${sql.lit(lockKey)}::bigint)`.execute(transaction);
				return await migrate(transaction, migrations, logger);
			}),
		);
		for (const { migration, reports } of applied) {
			logger.info('migration applied', { migration });
			for (const fields of reports) logger.warn('migration needs a decision', { migration, ...fields });
		}
		await fillColumns(own, migrations, logger);
		await buildIndexes(own, migrations, logger);
		await applySettings(own, migrations, logger);
		return applied.map(({ migration }) => migration);
	});
}

/** An applied migration and what it reports. */
interface Applied {
	readonly migration: string;
	readonly reports: readonly Readonly<Record<string, unknown>>[];
}

async function migrate<Schema>(
	transaction: Transaction<Schema>,
	migrations: Record<string, Migration>,
	logger: Logger,
): Promise<readonly Applied[]> {
	const { missing, unknown } = await schemaVersion(transaction, migrations);
	if (unknown.length > 0) {
		const [first] = missing;
		const later = unknown.filter((name) => first !== undefined && name > first);
		if (later.length > 0) {
			throw new UnusableDatabaseError(
				`the database has ${later.join(', ')} but lacks ${first}, which must come before: two versions have diverged`,
			);
		}
		logger.warn('the schema is newer than this version', { unknown });
	}
	// Kysely calls a database with unknown migrations corrupted. These have been applied, so none of them runs.
	const placeholders = Object.fromEntries(unknown.map((name) => [name, alreadyApplied]));
	const migrator = new Migrator({
		db: transaction,
		provider: { getMigrations: async () => ({ ...placeholders, ...migrations }) },
	});
	const { error, results = [] } = await migrator.migrateToLatest();
	if (error !== undefined) {
		const failed = results.find((result) => result.status === 'Error');
		const subject = failed ? `migration ${failed.migrationName}` : 'the migrations';
		throw new Error(`${subject} failed`, { cause: error });
	}
	const applied: Applied[] = [];
	for (const { migrationName: migration } of results) {
		const reports = (await migrations[migration]?.report?.(transaction as unknown as Kysely<unknown>)) ?? [];
		applied.push({ migration, reports });
	}
	return applied;
}

const alreadyApplied: Migration = {
	up: async () => {
		throw new TypeError('A migration of a newer version must not run.');
	},
};

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
