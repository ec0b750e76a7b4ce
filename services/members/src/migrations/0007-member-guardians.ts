import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** The guardian's own member record; beside the guardian's JSON, so that the database checks the reference. */
export const memberGuardians: Migration = {
	up: async (db) => {
		await sql`
			alter table members add column guardian_member_id uuid
			constraint members_guardian_member_id_fkey references members (id) on delete set null
			constraint members_guardian_is_another check (guardian_member_id <> id)`.execute(db);
		await sql`
			create index members_guardian_member_id_index on members (guardian_member_id)
			where guardian_member_id is not null`.execute(db);
	},
};
