import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** Devices that have signed in before; failures of a known device or of a session count for no client address. */
export const knownDevices: Migration = {
	up: async (db) => {
		await sql`
			create table devices (
				id uuid primary key default gen_random_uuid(),
				user_id uuid not null references users on delete cascade,
				token_hash bytea not null constraint devices_token_unique unique,
				created_at timestamptz(3) not null,
				last_sign_in_at timestamptz(3) not null,
				expires_at timestamptz(3) not null
			)`.execute(db);
		await sql`create index devices_user on devices (user_id)`.execute(db);
		await sql`create index devices_expiry on devices (expires_at)`.execute(db);
		await sql`
			alter table sessions
				add column device_id uuid references devices on delete set null`.execute(db);
		// Deleting a device looks for the sessions that name it.
		await sql`create index sessions_device on sessions (device_id)`.execute(db);
		await sql`
			alter table sign_in_failures
				alter column address_key drop not null,
				alter column address_until drop not null`.execute(db);
	},
};
