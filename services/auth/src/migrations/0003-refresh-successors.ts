import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/**
 * At most one usable refresh token a session. Earlier, each use within the grace left another one behind: of several the
 * one that expires last stays, as it was issued last.
 */
export const refreshSuccessors: Migration = {
	up: async (db) => {
		await sql`
			alter table refresh_tokens
				add column replaces bytea,
				add column voided_at timestamptz(3)`.execute(db);
		await sql`
			update refresh_tokens set voided_at = now()
			where used_at is null and token_hash not in (
				select distinct on (session_id) token_hash from refresh_tokens
				where used_at is null order by session_id, expires_at desc, token_hash
			)`.execute(db);
		await sql`
			create unique index refresh_tokens_usable on refresh_tokens (session_id)
				where used_at is null and voided_at is null`.execute(db);
	},
};
