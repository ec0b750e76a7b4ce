import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** Transfers that wait for the present owners' confirmations, and those that have ended. */
export const ownershipTransfers: Migration = {
	up: async (db) => {
		await sql`
			create table ownership_transfers (
				id uuid primary key default gen_random_uuid(),
				horse_id uuid not null
					constraint ownership_transfers_horse_id_fkey references horses (id) on delete cascade,
				valid_from date not null,
				owners jsonb not null,
				status text not null
					check (status in ('PENDING', 'COMPLETED', 'DECLINED', 'LAPSED', 'EXPIRED')),
				requested_by uuid not null,
				requested_by_member_id uuid,
				expires_at timestamptz not null,
				ended_at timestamptz,
				ended_by_member_id uuid,
				created_at timestamptz not null,
				updated_at timestamptz not null,
				version integer not null default 1,
				check ((status = 'PENDING') = (ended_at is null))
			)`.execute(db);
		await sql`
			create unique index ownership_transfers_pending_key on ownership_transfers (horse_id)
				where status = 'PENDING'`.execute(db);
		await sql`create index ownership_transfers_horse_id_index on ownership_transfers (horse_id)`.execute(db);
		await sql`create index ownership_transfers_requested_by_index on ownership_transfers (requested_by)`.execute(
			db,
		);
		await sql`
			create index ownership_transfers_owners_index on ownership_transfers using gin (owners jsonb_path_ops)
		`.execute(db);
		await sql`
			create table ownership_confirmations (
				transfer_id uuid not null
					constraint ownership_confirmations_transfer_id_fkey
					references ownership_transfers (id) on delete cascade,
				member_id uuid not null,
				confirmed_at timestamptz,
				primary key (transfer_id, member_id)
			)`.execute(db);
		await sql`create index ownership_confirmations_member_id_index on ownership_confirmations (member_id)`.execute(
			db,
		);
	},
};
