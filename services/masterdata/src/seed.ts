import type { SeedSet } from '@paddock/database';
import type { MasterdataSchema } from './database-schema.ts';
import { countryRow } from './repository/countries.ts';
import { ageClasses } from './seed/age-classes.ts';
import { countries } from './seed/countries.ts';
import { states } from './seed/states.ts';

/** Seed records of every installation; later sets refer to earlier ones. */
export const seedSets: readonly SeedSet<MasterdataSchema>[] = [
	{
		name: 'countries-1',
		insert: async (db) => {
			const insert = db.insertInto('countries').values(countries.map(countryRow));
			await insert.onConflict((conflict) => conflict.doNothing()).execute();
		},
	},
	{
		name: 'states-1',
		insert: async (db) => {
			const insert = db.insertInto('states').values(states);
			await insert.onConflict((conflict) => conflict.doNothing()).execute();
		},
	},
	{
		name: 'age-classes-1',
		insert: async (db) => {
			const insert = db.insertInto('ageClasses').values(ageClasses);
			await insert.onConflict((conflict) => conflict.doNothing()).execute();
		},
	},
];
