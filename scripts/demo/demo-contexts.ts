import { createDatabase, type Database } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { sql } from 'kysely';
import type { AuthTables } from '../../services/auth/src/auth-database.ts';
import { removeDemo as removeAccounts } from '../../services/auth/src/demo.ts';
import type { EventsSchema } from '../../services/events/src/database-schema.ts';
import { removeDemo as removeEvents } from '../../services/events/src/demo.ts';
import type { HorsesSchema } from '../../services/horses/src/database-schema.ts';
import { removeDemo as removeHorses } from '../../services/horses/src/demo.ts';
import type { MasterdataSchema } from '../../services/masterdata/src/database-schema.ts';
import { removeDemo as removeVenues } from '../../services/masterdata/src/demo.ts';
import type { MembersSchema } from '../../services/members/src/database-schema.ts';
import { removeDemo as removeMembers } from '../../services/members/src/demo.ts';

export interface Removal {
	/** How many records of demo data there were. */
	readonly removed: number;
	/** What the operator has to know about it. */
	readonly note?: string;
}

/** One context's demo data. */
export interface DemoContext {
	readonly name: string;
	/** In the words of the report. */
	readonly records: string;
	/** Removes it from the database at `url`; zero where the context was never started. */
	readonly remove: (url: string) => Promise<Removal>;
}

/** In the order of removal: what refers to something goes before it. A new context is one line here. */
export const demoContexts: readonly DemoContext[] = [
	{ name: 'events', records: 'events', remove: removal<EventsSchema>('events', counted(removeEvents)) },
	{ name: 'horses', records: 'horses', remove: removal<HorsesSchema>('horses', counted(removeHorses)) },
	{
		name: 'members',
		records: 'members and clubs',
		remove: removal<MembersSchema>('members', counted(removeMembers)),
	},
	{
		name: 'masterdata',
		records: 'venues',
		remove: removal<MasterdataSchema>('venues', counted(removeVenues)),
	},
	{ name: 'auth', records: 'accounts', remove: removal<AuthTables>('users', removeDemoAccounts) },
];

/** For contexts that only say how many records there were. */
export function counted<Schema>(remove: (db: Database<Schema>) => Promise<number>) {
	return async (db: Database<Schema>): Promise<Removal> => ({ removed: await remove(db) });
}

/** Connects for one removal. `table` is one that the context's first start makes. */
export function removal<Schema>(
	table: string,
	remove: (db: Database<Schema>) => Promise<Removal>,
): (url: string) => Promise<Removal> {
	return async (url) => {
		const db = createDatabase<Schema>({
			url,
			poolMax: 2,
			applicationName: 'demo-remove',
			logger: silentLogger(),
		});
		try {
			const { rows } = await sql<{ made: string | null }>`select to_regclass(${table})::text as made`.execute(
				db,
			);
			if (rows[0]?.made === null) return { removed: 0 };
			return await remove(db);
		} finally {
			await db.destroy();
		}
	};
}

async function removeDemoAccounts(db: Database<AuthTables>): Promise<Removal> {
	const { removed, administratorLeft } = await removeAccounts(db, new Date());
	if (administratorLeft) return { removed };
	return {
		removed,
		note: 'nobody is an administrator now: the next start makes one with ADMIN_EMAIL and ADMIN_PASSWORD',
	};
}
