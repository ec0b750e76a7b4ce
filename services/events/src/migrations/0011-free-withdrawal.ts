import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** Until when an entry can be withdrawn free of charge although the entry deadline has passed; null = only until then. */
export const freeWithdrawal: Migration = {
	up: async (db) => {
		await sql`alter table entries add column free_withdrawal_until timestamptz`.execute(db);
	},
};
