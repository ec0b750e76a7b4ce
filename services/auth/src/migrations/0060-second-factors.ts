import { type Migration, recordChangesOf } from '@paddock/database';
import { sql } from 'kysely';

/**
 * Authenticator apps, passkeys and recovery codes of accounts; the challenges of sign-ins that await one of them; when and
 * how the user of a session was last authenticated.
 */
export const secondFactors: Migration = {
	up: async (db) => {
		await sql`
			create table totp_authenticators (
				id uuid primary key default gen_random_uuid(),
				user_id uuid not null constraint totp_authenticators_user unique references users on delete cascade,
				secret text not null,
				last_step integer not null default 0,
				created_at timestamptz(3) not null,
				confirmed_at timestamptz(3),
				last_used_at timestamptz(3)
			)`.execute(db);
		await sql`
			create table passkeys (
				id uuid primary key default gen_random_uuid(),
				user_id uuid not null references users on delete cascade,
				credential_id text not null constraint passkeys_credential unique,
				public_key bytea not null,
				counter bigint not null,
				transports text[] not null,
				name text not null,
				is_synced boolean not null,
				created_at timestamptz(3) not null,
				last_used_at timestamptz(3)
			)`.execute(db);
		await sql`create index passkeys_user on passkeys (user_id)`.execute(db);
		await sql`
			create table recovery_codes (
				user_id uuid not null references users on delete cascade,
				code_hash bytea not null,
				created_at timestamptz(3) not null,
				used_at timestamptz(3),
				primary key (user_id, code_hash)
			)`.execute(db);
		await sql`
			create table sign_in_challenges (
				token_hash bytea primary key,
				user_id uuid not null references users on delete cascade,
				purpose text not null
					constraint sign_in_challenges_purpose check (purpose in ('SECOND_FACTOR', 'ENROLMENT')),
				password_changed_at timestamptz(3) not null,
				expires_at timestamptz(3) not null
			)`.execute(db);
		await sql`create index sign_in_challenges_user on sign_in_challenges (user_id)`.execute(db);
		await sql`create index sign_in_challenges_expiry on sign_in_challenges (expires_at)`.execute(db);
		await sql`
			create table passkey_challenges (
				challenge text primary key,
				user_id uuid not null references users on delete cascade,
				owner text not null,
				expires_at timestamptz(3) not null
			)`.execute(db);
		await sql`create index passkey_challenges_user on passkey_challenges (user_id)`.execute(db);
		await sql`create index passkey_challenges_expiry on passkey_challenges (expires_at)`.execute(db);
		await sql`alter table sessions add column authenticated_at timestamptz(3), add column amr text[]`.execute(
			db,
		);
		const ofUser = { record: 'user_id' };
		await recordChangesOf(db, {
			totp_authenticators: {
				...ofUser,
				type: 'AUTHENTICATOR_APP',
				without: ['secret', 'last_step', 'last_used_at'],
			},
			passkeys: {
				...ofUser,
				type: 'PASSKEY',
				without: ['credential_id', 'public_key', 'counter', 'last_used_at'],
			},
		});
	},
};
