import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** Which sets of rows were put in at the first start: each goes in once, so what officers change or delete stays so. */
export const seedMarks: Migration = {
	up: async (db) => {
		await sql`
			create table seed_marks (
				name text primary key,
				applied_at timestamptz not null default now()
			)`.execute(db);
	},
};
