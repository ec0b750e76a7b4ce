import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** Requests of people about their data: exports, which expire, and erasures, with the report of what was kept. */
export const personRequests: Migration = {
	up: async (db) => {
		await sql`
			create table person_requests (
				id uuid primary key default gen_random_uuid(),
				user_id uuid not null references users on delete cascade,
				kind text not null check (kind in ('EXPORT', 'ERASURE')),
				status text not null check (status in ('REQUESTED', 'READY', 'CANCELLED', 'STARTED', 'DONE')),
				member_id uuid,
				due_at timestamptz(3) not null,
				finished_at timestamptz(3),
				expires_at timestamptz(3),
				document jsonb,
				report jsonb,
				created_at timestamptz(3) not null,
				updated_at timestamptz(3) not null
			)`.execute(db);
		await sql`
			create unique index person_requests_open on person_requests (user_id, kind)
			where status in ('REQUESTED', 'STARTED')`.execute(db);
		await sql`create index person_requests_user on person_requests (user_id, created_at)`.execute(db);
		await sql`
			create index person_requests_expiry on person_requests (expires_at) where document is not null`.execute(
			db,
		);
	},
};
