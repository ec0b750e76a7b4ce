import { inTransaction, type SeedSet } from '@paddock/database';
import type { EventsQueryable, EventsSchema } from './database-schema.ts';
import { insertDemoEntries } from './demo/demo-entries.ts';
import { demoEventsAt } from './demo/demo-events.ts';

/** Around the current day, once, if DEMO=on. The seed mark remains after their removal, so that they are not seeded again. */
export function demoEvents(now: () => Date): SeedSet<EventsSchema> {
	return {
		name: 'demo-events-1',
		insert: async (db) => {
			const at = now();
			for (const event of demoEventsAt(at)) {
				await db.insertInto('events').values(event.row).execute();
				if (event.competitions.length > 0)
					await db.insertInto('competitions').values(event.competitions).execute();
				await insertDemoEntries(db, event, at);
			}
		},
	};
}

/** Removes the demo events with all later changes and entries; resolves with the number of removed events. */
export function removeDemo(db: EventsQueryable): Promise<number> {
	return db.isTransaction ? removeIn(db) : inTransaction(db, removeIn);
}

async function removeIn(db: EventsQueryable): Promise<number> {
	const demo = db.selectFrom('events').select('id').where('isDemo', '=', true);
	// Waits for entries in progress and blocks new ones.
	const ids = (await demo.forUpdate().execute()).map(({ id }) => id);
	if (ids.length === 0) return 0;
	await db.deleteFrom('entries').where('eventId', 'in', ids).execute();
	await db.deleteFrom('events').where('id', 'in', ids).execute();
	return ids.length;
}
