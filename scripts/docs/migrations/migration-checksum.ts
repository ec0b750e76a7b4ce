import { createHash } from 'node:crypto';
import type { Migration } from '@paddock/database';
import {
	type CompiledQuery,
	type DatabaseConnection,
	DummyDriver,
	Kysely,
	PostgresAdapter,
	PostgresIntrospector,
	PostgresQueryCompiler,
} from 'kysely';

/** The SHA-256 of a migration's statements and parameters as base64url. Statements that depend on stored rows are not covered. */
export async function migrationChecksum(migration: Migration): Promise<string> {
	const hash = createHash('sha256');
	const db = recordingDatabase(({ sql, parameters }) => {
		hash.update(JSON.stringify([sql.replace(/\s+/g, ' ').trim(), parameters]));
	});
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
