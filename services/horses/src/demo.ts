import type { SeedSet } from '@paddock/database';
import { type Kysely, sql } from 'kysely';
import type { HorsesQueryable, HorsesSchema, NewHorseRow } from './database-schema.ts';
import { type DemoRecord, demoRecords } from './demo-records.ts';
import { writtenColumns } from './repository/horse-rows.ts';
import { insertPeriod } from './repository/ownership.ts';

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
		registered_on: registeredOn,
		status,
		date_of_death: dateOfDeath,
		is_demo: true,
		created_at: now,
		updated_at: now,
	};
}

/**
 * Removes the demo horses, including changed ones. Other horses that are linked to one keep the name of the parent.
 * Resolves with the number of removed horses.
 */
export async function removeDemo(db: HorsesQueryable): Promise<number> {
	for (const [link, name] of [
		['sire_id', 'sire_name'],
		['dam_id', 'dam_name'],
	] as const) {
		const keepsSire =
			link === 'dam_id'
				? sql`, dam_sire_name = coalesce(
						(select name from horses as grandsire where grandsire.id = parent.sire_id),
						parent.sire_name, horses.dam_sire_name)`
				: sql``;
		await sql`
			update horses
			set ${sql.id(link)} = null, ${sql.id(name)} = parent.name, version = horses.version + 1 ${keepsSire}
			from horses as parent
			where parent.id = horses.${sql.id(link)} and parent.is_demo and not horses.is_demo`.execute(
			db as Kysely<unknown>,
		);
	}
	const removed = await db.deleteFrom('horses').where('is_demo', '=', true).returning('id').execute();
	return removed.length;
}
