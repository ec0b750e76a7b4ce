import { type Database, inTransaction } from '@paddock/database';
import type { Logger } from '@paddock/telemetry';
import { sql } from 'kysely';
import type { MasterdataQueryable, MasterdataSchema } from './database-schema.ts';
import { ageClassRow } from './repository/age-classes.ts';
import { countryRow } from './repository/countries.ts';
import { stateRow } from './repository/states.ts';
import { ageClasses } from './seed/age-classes.ts';
import { countries } from './seed/countries.ts';
import { states } from './seed/states.ts';

/** Rows that are put in once per database. A changed table gets a new name, and then adds what is missing. */
export interface SeedSet {
	readonly name: string;
	/** Leaves rows alone whose natural key is there already. */
	readonly insert: (db: MasterdataQueryable) => Promise<void>;
}

/** What every installation begins with; later sets refer to earlier ones. */
export const seedSets: readonly SeedSet[] = [
	{
		name: 'countries-1',
		insert: async (db) => {
			await db
				.insertInto('countries')
				.values(countries.map(countryRow))
				.onConflict((conflict) => conflict.doNothing())
				.execute();
		},
	},
	{
		name: 'states-1',
		insert: async (db) => {
			await db
				.insertInto('states')
				.values(states.map(stateRow))
				.onConflict((conflict) => conflict.doNothing())
				.execute();
		},
	},
	{
		name: 'age-classes-1',
		insert: async (db) => {
			await db
				.insertInto('age_classes')
				.values(ageClasses.map(ageClassRow))
				.onConflict((conflict) => conflict.doNothing())
				.execute();
		},
	},
];

/**
 * Inserts each set whose mark is missing, and its mark, in one transaction: what officers have changed or deleted since
 * is neither overwritten nor put back. Of several processes that start at once one works and the others wait.
 */
export async function seed(
	db: Database<MasterdataSchema>,
	sets: readonly SeedSet[],
	logger: Logger,
): Promise<void> {
	const inserted = await inTransaction(db, async (transaction) => {
		await sql`select pg_advisory_xact_lock(hashtextextended('masterdata seed', 0))`.execute(transaction);
		const marks = await transaction.selectFrom('seed_marks').select('name').execute();
		const missing = sets.filter((set) => !marks.some((mark) => mark.name === set.name));
		for (const set of missing) {
			await set.insert(transaction);
			await transaction.insertInto('seed_marks').values({ name: set.name }).execute();
		}
		return missing;
	});
	for (const set of inserted) logger.info('seed inserted', { set: set.name });
}
