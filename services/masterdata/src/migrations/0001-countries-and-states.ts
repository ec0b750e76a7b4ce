import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/**
 * Countries and states are referred to by their ISO codes: other contexts store the codes, and a read
 * needs no join. References are NO ACTION, not RESTRICT: PostgreSQL 18 reports a violation of RESTRICT as 23001 and
 * earlier ones as 23503.
 */
export const countriesAndStates: Migration = {
	up: async (db) => {
		await sql`
			create table countries (
				id uuid primary key default gen_random_uuid(),
				iso_alpha2 text not null constraint countries_iso_alpha2_key unique check (iso_alpha2 ~ '^[A-Z]{2}$'),
				iso_alpha3 text not null constraint countries_iso_alpha3_key unique check (iso_alpha3 ~ '^[A-Z]{3}$'),
				iso_numeric text not null constraint countries_iso_numeric_key unique check (iso_numeric ~ '^[0-9]{3}$'),
				ioc_code text constraint countries_ioc_code_key unique check (ioc_code ~ '^[A-Z]{3}$'),
				name_en text not null,
				name_de text not null,
				is_eu_member boolean not null,
				is_eea_member boolean not null,
				is_active boolean not null,
				sort_order integer not null,
				search_text text not null,
				version integer not null default 1
			)`.execute(db);
		await sql`
			create table states (
				id uuid primary key default gen_random_uuid(),
				country_code text not null constraint states_country_code_fkey references countries (iso_alpha2),
				iso3166_2 text not null constraint states_iso3166_2_key unique check (iso3166_2 ~ '^[A-Z]{2}-[A-Z0-9]{1,3}$'),
				federation_code text constraint states_federation_code_key unique check (federation_code ~ '^[0-9]{2}$'),
				name text not null,
				abbreviation text,
				is_active boolean not null,
				version integer not null default 1,
				check (left(iso3166_2, 2) = country_code),
				-- What the reference of a venue to a state of its own country needs.
				constraint states_iso3166_2_country_code_key unique (iso3166_2, country_code)
			)`.execute(db);
		await sql`create index states_country_code_index on states (country_code)`.execute(db);
	},
};
