import type { SeedSet } from '@paddock/database';
import { sql } from 'kysely';
import type { HorsesQueryable, HorsesSchema, NewHorseRow } from './database-schema.ts';
import { type DemoRecord, demoRecords } from './demo-records.ts';
import { writtenColumns } from './horses/rows.ts';
import { insertPeriod } from './ownership/store.ts';

/**
 * Fictional horses, seeded once if DEMO=on. The seed mark remains after their removal, so that they are not seeded
 * again.
 */
export function demoHorseSet(now: () => Date): SeedSet<HorsesSchema> {
	return {
		name: 'demo-horses-1',
		insert: async (db) => {
			for (const record of demoRecords(now())) {
				await db.insertInto('horses').values(rowOf(record, now())).execute();
				for (const period of record.periods) await insertPeriod(db, record.id, period);
			}
		},
	};
}

function rowOf({ id, body, registeredOn, status, dateOfDeath }: DemoRecord, now: Date): NewHorseRow {
	return {
		...writtenColumns(body),
		id,
		registeredOn,
		status,
		dateOfDeath,
		isDemo: true,
		createdAt: now,
		updatedAt: now,
	};
}

/**
 * Removes the demo horses, including changed ones. Other horses that are linked to one keep the name of the parent.
 * Resolves with the number of removed horses.
 */
export async function removeDemo(db: HorsesQueryable): Promise<number> {
	await sql`
		update horses set sire_id = null, sire_name = parent.name, version = horses.version + 1
		from horses as parent
		where parent.id = horses.sire_id and parent.is_demo and not horses.is_demo`.execute(db);
	await sql`
		update horses set dam_id = null, dam_name = parent.name, version = horses.version + 1,
			dam_sire_name = coalesce(
				(select name from horses as grandsire where grandsire.id = parent.sire_id),
				parent.sire_name, horses.dam_sire_name)
		from horses as parent
		where parent.id = horses.dam_id and parent.is_demo and not horses.is_demo`.execute(db);
	const removed = await db.deleteFrom('horses').where('isDemo', '=', true).returning('id').execute();
	return removed.length;
}
