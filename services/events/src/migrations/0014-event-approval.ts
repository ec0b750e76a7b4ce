import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/**
 * The approval of a draft by the federation's office. `status` stays DRAFT until the publication: instances of the version
 * before this one show every other status in public.
 */
export const eventApproval: Migration = {
	up: async (db) => {
		await sql`
			alter table events
				add column approval text check (approval in ('SUBMITTED', 'RETURNED')),
				add column approval_remarks text,
				add column approval_warnings jsonb not null default '[]',
				add column submitted_at timestamptz`.execute(db);
		await sql`
			create index events_submitted_at_index on events (submitted_at)
				where status = 'DRAFT' and approval = 'SUBMITTED'`.execute(db);
	},
};
