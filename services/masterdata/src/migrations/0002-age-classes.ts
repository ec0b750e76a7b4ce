import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** One class may change from season to season, but has one definition on any day: the exclusion constraint. */
export const ageClasses: Migration = {
	up: async (db) => {
		// Equality of text inside a GiST index. A trusted extension: the owner of the database may create it.
		await sql`create extension if not exists btree_gist`.execute(db);
		await sql`
			create table age_classes (
				id uuid primary key default gen_random_uuid(),
				code text not null check (code ~ '^[A-Z][A-Z0-9_]*$'),
				ruleset text not null check (ruleset in ('OETO', 'FEI')),
				category text not null check (category in ('RIDER', 'PONY')),
				discipline text,
				name_en text not null,
				name_de text not null,
				min_age integer check (min_age >= 0),
				max_age integer check (max_age >= 0),
				legal_reference text not null,
				valid_from date,
				valid_to date,
				version integer not null default 1,
				check (min_age <= max_age),
				check (valid_from <= valid_to),
				constraint age_classes_one_at_a_time exclude using gist (
					ruleset with =,
					category with =,
					code with =,
					coalesce(discipline, '') with =,
					daterange(valid_from, valid_to, '[]') with &&
				)
			)`.execute(db);
	},
};
