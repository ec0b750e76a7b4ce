import type { Queryable } from '@paddock/database';
import type { Generated } from 'kysely';

interface CountriesTable {
	id: Generated<string>;
	isoAlpha2: string;
	isoAlpha3: string;
	isoNumeric: string;
	iocCode: string | null;
	nameEn: string;
	nameDe: string;
	isEuMember: boolean;
	isEeaMember: boolean;
	isActive: boolean;
	sortOrder: number;
	/** See `searchLines`. */
	searchText: string;
	version: Generated<number>;
}

interface StatesTable {
	id: Generated<string>;
	countryCode: string;
	iso3166_2: string;
	federationCode: string | null;
	name: string;
	abbreviation: string | null;
	isActive: boolean;
	version: Generated<number>;
}

interface AgeClassesTable {
	id: Generated<string>;
	code: string;
	ruleset: 'OETO' | 'FEI';
	category: 'RIDER' | 'PONY';
	discipline: string | null;
	nameEn: string;
	nameDe: string;
	minAge: number | null;
	maxAge: number | null;
	legalReference: string;
	/** `YYYY-MM-DD` */
	validFrom: string | null;
	validTo: string | null;
	version: Generated<number>;
}

interface VenuesTable {
	id: Generated<string>;
	name: string;
	street: string | null;
	postalCode: string | null;
	/** Null = no address. */
	city: string | null;
	countryCode: string;
	stateCode: string | null;
	latitude: number | null;
	longitude: number | null;
	timeZone: string;
	website: string | null;
	stableBoxes: number | null;
	isActive: boolean;
	isDemo: Generated<boolean>;
	/** See `searchLines`. */
	searchText: string;
	version: Generated<number>;
}

interface ArenasTable {
	id: Generated<string>;
	venueId: string;
	name: string;
	type: 'COMPETITION' | 'WARM_UP' | 'LUNGING';
	lengthM: number | null;
	widthM: number | null;
	surface: 'SAND' | 'GRASS' | 'TEXTILE' | 'OTHER';
	indoor: boolean;
	floodlit: boolean;
	isActive: boolean;
	version: Generated<number>;
}

interface SeedMarksTable {
	name: string;
	appliedAt: Generated<Date>;
}

/** The tables of this context, as the migrations leave them. */
export interface MasterdataSchema {
	idempotencyKeys: unknown;
	countries: CountriesTable;
	states: StatesTable;
	ageClasses: AgeClassesTable;
	venues: VenuesTable;
	arenas: ArenasTable;
	seedMarks: SeedMarksTable;
}

export type MasterdataQueryable = Queryable<MasterdataSchema>;
