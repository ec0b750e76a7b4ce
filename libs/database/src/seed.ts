import type { Logger } from '@paddock/telemetry';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database, Queryable } from './database.ts';
import { advisoryLock, inTransaction } from './in-transaction.ts';

/** Rows that are inserted once per database. A changed set gets a new name, and then adds the missing rows. */
export interface SeedSet<Schema> {
	readonly name: string;
	/** Must skip rows whose natural key exists. */
	readonly insert: (db: Queryable<Schema>) => Promise<void>;
}

/** The sets that have been inserted: each is inserted once, so that changes and deletions persist. */
export const seedMarks: Migration = {
	up: async (db) => {
		await sql`
			create table seed_marks (
				name text primary key,
				applied_at timestamptz not null default now()
			)`.execute(db);
	},
};

/**
 * Inserts each set whose mark is missing, and its mark, in one transaction: later changes are not overwritten and
 * deleted rows are not restored. If several processes start at once, one inserts and the others wait. Later sets may
 * refer to earlier ones. Requires the table of `seedMarks`.
 */
export async function seed<Schema>(
	db: Database<Schema>,
	sets: readonly SeedSet<Schema>[],
	logger: Logger,
): Promise<void> {
	const inserted = await inTransaction(db, async (transaction) => {
		await advisoryLock(transaction, 'seed');
		const marks = transaction.withoutPlugins() as unknown as Kysely<{ seed_marks: { name: string } }>;
		const present = await marks.selectFrom('seed_marks').select('name').execute();
		const missing = sets.filter((set) => !present.some((mark) => mark.name === set.name));
		for (const set of missing) {
			await set.insert(transaction);
			await marks.insertInto('seed_marks').values({ name: set.name }).execute();
		}
		return missing;
	});
	for (const set of inserted) logger.info('seed inserted', { set: set.name });
}
