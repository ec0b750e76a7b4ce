import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/**
 * A period ends where the next one begins, so only its first day is stored: periods can't overlap, and there can be no
 * days without an owner between them.
 */
export const ownership: Migration = {
	up: async (db) => {
		await sql`
			create table ownership_periods (
				id uuid primary key default gen_random_uuid(),
				horse_id uuid not null
					constraint ownership_periods_horse_id_fkey references horses (id) on delete cascade,
				valid_from date not null,
				constraint ownership_periods_horse_id_valid_from_key unique (horse_id, valid_from)
			)`.execute(db);
		await sql`
			create table ownership_shares (
				period_id uuid not null
					constraint ownership_shares_period_id_fkey references ownership_periods (id) on delete cascade,
				position integer not null,
				member_id uuid,
				party_name text,
				party_country_code text,
				share_hundredths integer check (share_hundredths between 1 and 10000),
				primary key (period_id, position),
				constraint ownership_shares_period_id_member_id_key unique (period_id, member_id),
				check ((member_id is null) = (party_name is not null)),
				check ((party_name is null) = (party_country_code is null))
			)`.execute(db);
		await sql`create index ownership_shares_member_id_index on ownership_shares (member_id)`.execute(db);
	},
};
