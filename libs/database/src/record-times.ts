import { sql } from 'kysely';
import { concurrentIndexes } from './concurrent-indexes.ts';

/**
 * A migration that adds `created_at` and `updated_at` to tables without them, and their index; stored records get the time
 * of the migration. The database sets both, so that a change by an instance of the version before counts too. A change is
 * what increments the version.
 */
export function recordTimes(...tables: readonly string[]): ReturnType<typeof concurrentIndexes> {
	const indexes = concurrentIndexes(
		Object.fromEntries(tables.map((table) => [`${table}_changed_index`, `${table} (updated_at, id)`])),
	);
	return {
		...indexes,
		up: async (db) => {
			// Not now(), the start of the transaction: a client that reads changes since then would miss those that waited.
			await sql`
				create function set_updated_at() returns trigger language plpgsql as $$
				begin
					new.updated_at = greatest(old.updated_at, clock_timestamp());
					return new;
				end $$`.execute(db);
			for (const table of tables) {
				await sql`
					alter table ${sql.table(table)}
						add column created_at timestamptz(3) not null default now(),
						add column updated_at timestamptz(3) not null default now()`.execute(db);
				await sql`
					create trigger set_updated_at before update on ${sql.table(table)} for each row
						when (new.version <> old.version) execute function set_updated_at()`.execute(db);
			}
			await indexes.up(db);
		},
	};
}
