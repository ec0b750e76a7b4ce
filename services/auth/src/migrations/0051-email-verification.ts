import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/**
 * When the address of an account was proven. Existing accounts count as verified, and those that an instance of the version
 * before creates.
 */
export const emailVerification: Migration = {
	up: async (db) => {
		await sql`alter table users add column email_verified_at timestamptz(3) default now()`.execute(db);
	},
};
