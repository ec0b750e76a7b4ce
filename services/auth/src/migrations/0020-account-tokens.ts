import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** Single-use tokens of accounts. The code lists the purposes; `data` belongs to the purpose. */
export const accountTokens: Migration = {
	up: async (db) => {
		await sql`
			create table account_tokens (
				token_hash bytea primary key,
				user_id uuid not null references users on delete cascade,
				purpose text not null,
				data jsonb not null,
				created_at timestamptz(3) not null,
				expires_at timestamptz(3) not null
			)`.execute(db);
		await sql`create index account_tokens_user on account_tokens (user_id, purpose)`.execute(db);
		await sql`create index account_tokens_expiry on account_tokens (expires_at)`.execute(db);
	},
};
