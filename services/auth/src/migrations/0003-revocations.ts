import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/**
 * What the gateway and the services must refuse before it expires. The one row of `revocation_feed` holds the last position
 * given out: it is locked until the transaction ends, so positions become visible in their order and a reader misses none.
 */
export const revocations: Migration = {
	up: async (db) => {
		await sql`
			create table revocation_feed (
				id uuid primary key default gen_random_uuid(),
				last bigint not null default 0,
				single boolean not null default true unique check (single)
			)`.execute(db);
		await sql`insert into revocation_feed default values`.execute(db);
		await sql`
			create table revocations (
				position bigint primary key,
				subject text not null,
				before integer,
				created_at timestamptz(3) not null
			)`.execute(db);
	},
};
