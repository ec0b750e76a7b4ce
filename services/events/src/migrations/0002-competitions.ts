import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

export const competitions: Migration = {
	up: async (db) => {
		await sql`
			create table competitions (
				id uuid primary key default gen_random_uuid(),
				event_id uuid not null constraint competitions_event_id_fkey references events (id) on delete cascade,
				number integer not null check (number between 1 and 999),
				name text not null,
				discipline text not null,
				class text not null,
				date date not null,
				arena_id uuid,
				arena_name text check ((arena_id is null) = (arena_name is null)),
				age_classes text[] not null,
				horse_min_age integer not null check (horse_min_age between 0 and 30),
				pony_only boolean not null,
				max_starters integer check (max_starters > 0),
				start_fee integer not null check (start_fee >= 0),
				status text not null default 'OPEN' check (status in ('OPEN', 'CANCELLED')),
				version integer not null default 1,
				constraint competitions_event_id_number_key unique (event_id, number)
			)`.execute(db);
	},
};
