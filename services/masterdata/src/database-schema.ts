import type { IdempotencyTables, Queryable } from '@paddock/database';
import type { Generated, Insertable, Selectable } from 'kysely';

interface CountriesTable {
	id: Generated<string>;
	iso_alpha2: string;
	iso_alpha3: string;
	iso_numeric: string;
	ioc_code: string | null;
	name_en: string;
	name_de: string;
	is_eu_member: boolean;
	is_eea_member: boolean;
	is_active: boolean;
	sort_order: number;
	/** See `searchLines`. */
	search_text: string;
	version: Generated<number>;
}

interface StatesTable {
	id: Generated<string>;
	country_code: string;
	iso3166_2: string;
	federation_code: string | null;
	name: string;
	abbreviation: string | null;
	is_active: boolean;
	version: Generated<number>;
}

interface AgeClassesTable {
	id: Generated<string>;
	code: string;
	ruleset: 'OETO' | 'FEI';
	category: 'RIDER' | 'PONY';
	discipline: string | null;
	name_en: string;
	name_de: string;
	min_age: number | null;
	max_age: number | null;
	legal_reference: string;
	/** `YYYY-MM-DD` */
	valid_from: string | null;
	valid_to: string | null;
	version: Generated<number>;
}

interface VenuesTable {
	id: Generated<string>;
	name: string;
	street: string | null;
	postal_code: string | null;
	/** Null = no address. */
	city: string | null;
	country_code: string;
	state_code: string | null;
	latitude: number | null;
	longitude: number | null;
	time_zone: string;
	website: string | null;
	stable_boxes: number | null;
	is_active: boolean;
	is_demo: Generated<boolean>;
	/** See `searchLines`. */
	search_text: string;
	version: Generated<number>;
}

interface ArenasTable {
	id: Generated<string>;
	venue_id: string;
	name: string;
	type: 'COMPETITION' | 'WARM_UP' | 'LUNGING';
	length_m: number | null;
	width_m: number | null;
	surface: 'SAND' | 'GRASS' | 'TEXTILE' | 'OTHER';
	indoor: boolean;
	floodlit: boolean;
	is_active: boolean;
	version: Generated<number>;
}

interface SeedMarksTable {
	name: string;
	applied_at: Generated<Date>;
}

/** The tables of this context, as the migrations leave them. */
export interface MasterdataSchema extends IdempotencyTables {
	countries: CountriesTable;
	states: StatesTable;
	age_classes: AgeClassesTable;
	venues: VenuesTable;
	arenas: ArenasTable;
	seed_marks: SeedMarksTable;
}

export type MasterdataQueryable = Queryable<MasterdataSchema>;

export type CountryRow = Selectable<CountriesTable>;
export type NewCountryRow = Insertable<CountriesTable>;
export type StateRow = Selectable<StatesTable>;
export type NewStateRow = Insertable<StatesTable>;
export type AgeClassRow = Selectable<AgeClassesTable>;
export type NewAgeClassRow = Insertable<AgeClassesTable>;
export type VenueRow = Selectable<VenuesTable>;
export type NewVenueRow = Insertable<VenuesTable>;
export type ArenaRow = Selectable<ArenasTable>;
export type NewArenaRow = Insertable<ArenasTable>;
