import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** The numbers stay taken by a removed horse: its papers still carry them. */
export const horses: Migration = {
	up: async (db) => {
		await sql`create extension if not exists pg_trgm`.execute(db);
		await sql`
			create table horses (
				id uuid primary key default gen_random_uuid(),
				name text not null,
				sex text not null check (sex in ('STALLION', 'MARE', 'GELDING')),
				date_of_birth date,
				birth_year integer not null,
				breed text,
				breed_key text,
				studbook text,
				colour text,
				height_cm integer check (height_cm between 60 and 220),
				is_pony boolean not null,
				country_of_birth text,
				ueln text constraint horses_ueln_key unique,
				microchip text constraint horses_microchip_key unique,
				federation_horse_number text constraint horses_federation_horse_number_key unique,
				head_number text constraint horses_head_number_key unique,
				fei_id text constraint horses_fei_id_key unique,
				passport_number text,
				passport_key text,
				passport_issuer text,
				sire_id uuid constraint horses_sire_id_fkey references horses (id),
				sire_name text,
				dam_id uuid constraint horses_dam_id_fkey references horses (id),
				dam_name text,
				dam_sire_name text,
				breeder_name text,
				responsible_member_id uuid,
				club_id uuid,
				fee_paid_for_year integer,
				registered_on date not null,
				status text not null
					check (status in ('ACTIVE', 'SUSPENDED', 'RETIRED', 'LAPSED', 'DECEASED', 'INACTIVE')),
				status_reason text,
				removed_status text,
				removed_status_reason text,
				date_of_death date,
				notes text,
				is_demo boolean not null default false,
				name_text text not null,
				number_text text not null,
				created_at timestamptz not null,
				updated_at timestamptz not null,
				version integer not null default 1,
				check (date_of_birth is null or extract(year from date_of_birth) = birth_year),
				check (not is_pony or coalesce(height_cm, 999) <= 148),
				check (coalesce(ueln, microchip, passport_number) is not null),
				check (sire_id is null or sire_name is null),
				check (dam_id is null or dam_name is null),
				check (sire_id <> id and dam_id <> id),
				check ((status = 'INACTIVE') = (removed_status is not null)),
				check ((status = 'DECEASED') = (date_of_death is not null))
			)`.execute(db);
		await sql`create index horses_name_index on horses (name collate "und-x-icu", id)`.execute(db);
		for (const column of [
			'birth_year',
			'breed_key',
			'passport_key',
			'sire_id',
			'dam_id',
			'responsible_member_id',
			'club_id',
			'updated_at',
		])
			await sql`create index ${sql.id(`horses_${column}_index`)} on horses (${sql.id(column)})`.execute(db);
		// Without fastupdate a horse is in the index once it is written, not in a list that each search has to read through.
		for (const column of ['name_text', 'number_text'])
			await sql`
				create index ${sql.id(`horses_${column}_index`)} on horses using gin (${sql.id(column)} gin_trgm_ops)
				with (fastupdate = off)
			`.execute(db);
	},
};
