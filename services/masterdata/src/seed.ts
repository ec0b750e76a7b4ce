import type { SeedSet } from '@paddock/database';
import type { Insertable } from 'kysely';
import { countryRow } from './countries/store.ts';
import type { MasterdataSchema } from './database-schema.ts';
import { ageClasses } from './seed/age-classes.ts';
import { countries } from './seed/countries.ts';
import { states } from './seed/states.ts';

/** Seed records of every installation; later sets refer to earlier ones. */
export const seedSets: readonly SeedSet<MasterdataSchema>[] = [
	seedOf('countries-1', 'countries', countries.map(countryRow)),
	seedOf('states-1', 'states', states),
	seedOf('age-classes-1', 'ageClasses', ageClasses),
];

function seedOf<Table extends keyof MasterdataSchema>(
	name: string,
	table: Table,
	rows: readonly Insertable<MasterdataSchema[Table]>[],
): SeedSet<MasterdataSchema> {
	return {
		name,
		insert: async (db) => {
			const insert = db.insertInto(table).values(rows);
			await insert.onConflict((conflict) => conflict.doNothing()).execute();
		},
	};
}
