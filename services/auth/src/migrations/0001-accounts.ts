import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** Accounts, their sessions, the failures that throttle them, and the keys that sign their tokens. */
export const accounts: Migration = {
	up: async (db) => {
		await sql`
			create table users (
				id uuid primary key default gen_random_uuid(),
				email text not null constraint users_email_unique unique
					constraint users_email_folded check (email = lower(email) and length(email) <= 254),
				password_hash text not null,
				first_name text not null,
				last_name text not null,
				phone_number text,
				locale text not null,
				roles text[] not null constraint users_roles_some check (cardinality(roles) > 0),
				role_scopes jsonb not null,
				member_id uuid,
				status text not null
					constraint users_status_known check (status in ('ACTIVE', 'LOCKED', 'SUSPENDED', 'CLOSED')),
				search_text text not null,
				is_demo boolean not null default false,
				last_login_at timestamptz(3),
				password_changed_at timestamptz(3) not null,
				created_at timestamptz(3) not null,
				updated_at timestamptz(3) not null,
				version integer not null default 1
			)`.execute(db);
		await sql`
			create table sessions (
				id uuid primary key default gen_random_uuid(),
				user_id uuid not null references users on delete cascade,
				created_at timestamptz(3) not null,
				expires_at timestamptz(3) not null,
				ended_at timestamptz(3)
			)`.execute(db);
		await sql`create index sessions_user on sessions (user_id)`.execute(db);
		await sql`create index sessions_expiry on sessions (expires_at)`.execute(db);
		await sql`
			create table refresh_tokens (
				token_hash bytea primary key,
				session_id uuid not null references sessions on delete cascade,
				expires_at timestamptz(3) not null,
				used_at timestamptz(3)
			)`.execute(db);
		await sql`create index refresh_tokens_session on refresh_tokens (session_id)`.execute(db);
		await sql`
			create table sign_in_failures (
				id bigint generated always as identity primary key,
				account_key text not null,
				address_key text not null,
				failed_at timestamptz(3) not null,
				account_until timestamptz(3) not null,
				address_until timestamptz(3) not null
			)`.execute(db);
		await sql`create index sign_in_failures_account on sign_in_failures (account_key)`.execute(db);
		await sql`create index sign_in_failures_address on sign_in_failures (address_key)`.execute(db);
		await sql`
			create table signing_keys (
				kid text primary key,
				private_key text not null,
				public_jwk jsonb not null,
				created_at timestamptz(3) not null,
				signs_from timestamptz(3) not null constraint signing_keys_order unique
			)`.execute(db);
	},
};
