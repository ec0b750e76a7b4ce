import type { SeedSet } from '@paddock/database';
import type { MasterdataSchema } from './database-schema.ts';
import { ageClassRow } from './repository/age-classes.ts';
import { countryRow } from './repository/countries.ts';
import { stateRow } from './repository/states.ts';
import { ageClasses } from './seed/age-classes.ts';
import { countries } from './seed/countries.ts';
import { states } from './seed/states.ts';

/** What every installation begins with; later sets refer to earlier ones. */
export const seedSets: readonly SeedSet<MasterdataSchema>[] = [
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
