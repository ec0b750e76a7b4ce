import type { SeedSet } from '@paddock/database';
import type { SpecimensQueryable, SpecimensSchema } from './database-schema.ts';
import { specimenRow } from './specimens/store.ts';

/** Seeded once if DEMO=on. The seed mark remains after a removal, so that the row is not seeded again. */
export const demoSpecimens: SeedSet<SpecimensSchema> = {
	name: 'demo-specimens-1',
	insert: async (db) => {
		const row = specimenRow({ name: 'Specimen Auwiesen', city: 'Auwiesen an der Furt', isActive: true });
		await db
			.insertInto('specimens')
			.values({ ...row, isDemo: true })
			.onConflict((conflict) => conflict.doNothing())
			.execute();
	},
};

/** Removes the demo specimens, even if they were changed. Resolves with their number. */
export async function removeDemo(db: SpecimensQueryable): Promise<number> {
	const demo = db.deleteFrom('specimens').where('isDemo', '=', true);
	return (await demo.returning('id').execute()).length;
}
