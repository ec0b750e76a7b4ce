import { type Migration, recordChangesOf } from '@paddock/database';
import { sql } from 'kysely';

/**
 * Identities at the external provider that sign in to accounts; the steps of sign-ins with it that are not complete, encrypted;
 * how the first step of a sign-in was authenticated, and the identity that its second step links.
 */
export const externalIdentities: Migration = {
	up: async (db) => {
		await sql`
			create table external_identities (
				id uuid primary key default gen_random_uuid(),
				user_id uuid not null references users on delete cascade,
				issuer text not null,
				subject text not null,
				email text,
				created_at timestamptz(3) not null,
				last_used_at timestamptz(3),
				constraint external_identities_subject unique (issuer, subject)
			)`.execute(db);
		await sql`create index external_identities_user on external_identities (user_id)`.execute(db);
		await sql`
			create table oidc_steps (
				token_hash bytea primary key,
				kind text not null constraint oidc_steps_kind check (kind in ('START', 'CODE', 'LINK')),
				browser_hash bytea not null,
				content text not null,
				expires_at timestamptz(3) not null
			)`.execute(db);
		await sql`create index oidc_steps_expiry on oidc_steps (expires_at)`.execute(db);
		await sql`
			alter table sign_in_challenges
				add column methods text[] not null default '{pwd}',
				add column identity jsonb`.execute(db);
		await recordChangesOf(db, {
			external_identities: {
				type: 'EXTERNAL_IDENTITY',
				record: 'user_id',
				without: ['subject', 'last_used_at'],
			},
		});
	},
};
