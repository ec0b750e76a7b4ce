import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Migration } from '@paddock/database';
import {
	type CompiledQuery,
	type DatabaseConnection,
	DummyDriver,
	Kysely,
	PostgresAdapter,
	PostgresIntrospector,
	PostgresQueryCompiler,
	sql,
} from 'kysely';
import { migrationsOf } from '../../migrate/context-migrations.ts';

/** Name → checksum of every migration of one context, as committed in `services/<context>/src/migrations/checksums.json`. */
type Checksums = Readonly<Record<string, string>>;

/** The path of a context's checksums, from the project's root. */
export function checksumsPath(context: string): string {
	return `services/${context}/src/migrations/checksums.json`;
}

/** The checksums of all migrations. @throws Error naming each released one that changed, is missing or would run later */
export async function checksumsText(context: string): Promise<string> {
	const checksums = await checksumsOf(await migrationsOf(context));
	const violations = violationsOf(committedChecksums(context), checksums);
	if (violations.length > 0) throw new Error(`${context}: ${violations.join('; ')}`);
	return `${JSON.stringify(checksums, undefined, '\t')}\n`;
}

/** The reasons why a database with the released migrations can't use these; empty if it can. */
export function violationsOf(released: Checksums, current: Checksums): string[] {
	const last = Object.keys(released).sort().at(-1) ?? '';
	const changed = Object.entries(released).flatMap(([name, checksum]) => {
		if (current[name] === undefined) return [`migration ${name} was released and must not be removed`];
		return current[name] === checksum
			? []
			: [`migration ${name} was released and must not change; add a new one`];
	});
	const early = Object.keys(current)
		.filter((name) => released[name] === undefined && name < last)
		.map((name) => `migration ${name} must sort after ${last}, the last released one`);
	return [...changed, ...early];
}

async function checksumsOf(migrations: Readonly<Record<string, Migration>>): Promise<Checksums> {
	const checksums: Record<string, string> = {};
	for (const name of Object.keys(migrations).sort()) {
		const migration = migrations[name];
		if (migration !== undefined) checksums[name] = await migrationChecksum(migration);
	}
	return checksums;
}

function committedChecksums(context: string): Checksums {
	const file = new URL(`../../../${checksumsPath(context)}`, import.meta.url);
	return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Checksums) : {};
}

/** The SHA-256 of a migration's statements and parameters as base64url. Statements that depend on stored rows are not covered. */
export async function migrationChecksum(migration: Migration): Promise<string> {
	const hash = createHash('sha256');
	const db = recordingDatabase(({ sql, parameters }) => {
		hash.update(JSON.stringify([sql.replace(/\s+/g, ' ').trim(), parameters]));
	});
	// Set after the transaction of the migrations, see `concurrentIndexes`.
	const settings = 'settings' in migration ? (migration.settings as readonly string[]) : [];
	for (const statement of settings) await sql.raw(statement).execute(db);
	await migration.up(db);
	await db.destroy();
	return hash.digest('base64url');
}

function recordingDatabase(record: (query: CompiledQuery) => void): Kysely<unknown> {
	const connection: DatabaseConnection = {
		executeQuery: async (query) => {
			record(query);
			return { rows: [] };
		},
		streamQuery: () => {
			throw new TypeError('A migration must not stream rows.');
		},
	};
	class RecordingDriver extends DummyDriver {
		override async acquireConnection(): Promise<DatabaseConnection> {
			return connection;
		}
	}
	return new Kysely({
		dialect: {
			createAdapter: () => new PostgresAdapter(),
			createDriver: () => new RecordingDriver(),
			createIntrospector: (db) => new PostgresIntrospector(db),
			createQueryCompiler: () => new PostgresQueryCompiler(),
		},
	});
}
