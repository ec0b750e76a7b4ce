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
			from (
				select token_hash, row_number() over (partition by session_id order by expires_at desc, token_hash) as place
				from refresh_tokens where used_at is null
			) as usable
			where usable.token_hash = refresh_tokens.token_hash and usable.place > 1`.execute(db);
		await sql`
			create unique index refresh_tokens_usable on refresh_tokens (session_id)
				where used_at is null and voided_at is null`.execute(db);
	},
};
