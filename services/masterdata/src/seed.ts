import type { SeedSet } from '@paddock/database';
import type { Insertable } from 'kysely';
import type { AgeClassBody } from './age-classes/schemas.ts';
import { ageClassRow } from './age-classes/store.ts';
import { countryRow } from './countries/store.ts';
import type { MasterdataSchema } from './database-schema.ts';
import { countries } from './seed/countries.ts';
import type { StateBody } from './states/schemas.ts';
import { stateRow } from './states/store.ts';

type Names = readonly [nameEn: string, nameDe: string];
type Ages = readonly [minAge: number | null, maxAge: number | null];
type Group = Pick<AgeClassBody, 'ruleset' | 'category' | 'legalReference'>;

const oeto = { ruleset: 'OETO', legalReference: 'OeTO 2026 §12(2)' } as const;
const oetoRiders = { ...oeto, category: 'RIDER' } as const;
const oetoPony = { ...oeto, category: 'PONY' } as const;
const fei = { ruleset: 'FEI', legalReference: 'FEI General Regulations 2026, Appendix A' } as const;
const feiRiders = { ...fei, category: 'RIDER' } as const;
const feiPony = { ...fei, category: 'PONY' } as const;

/** The age classes of OeTO and FEI. Their validity is unbounded: the rules state no date from which an age counts. */
export const ageClasses: readonly AgeClassBody[] = [
	of(oetoRiders, 'YOUTH', [8, 15], ['Youth', 'Jugend']),
	of(oetoRiders, 'CHILDREN_DRESSAGE', [12, 14], ['Children, dressage', 'Kinder Dressur'], 'DRESSAGE'),
	of(oetoRiders, 'JUNIOR', [16, 18], ['Juniors', 'Junioren']),
	of(oetoRiders, 'YOUNG_RIDER', [16, 21], ['Young riders', 'Junge Reiter']),
	of(oetoRiders, 'U25', [16, 25], ['Under 25', 'U25']),
	of(oetoRiders, 'GENERAL', [19, null], ['General class', 'Allgemeine Klasse']),
	of(oetoRiders, 'SENIOR', [40, null], ['Seniors', 'Senioren']),
	of(oetoPony, 'YOUTH', [8, 16], ['Youth, ponies', 'Jugend Pony']),
	of(oetoPony, 'GENERAL', [17, null], ['General class, ponies', 'Allgemeine Klasse Pony']),
	of(feiRiders, 'CHILDREN', [12, 14], ['Children', 'Children']),
	of(feiPony, 'PONY', [12, 16], ['Pony riders', 'Ponyreiter']),
	of(feiRiders, 'JUNIOR', [14, 18], ['Juniors', 'Junioren']),
	of(feiRiders, 'YOUNG_RIDER', [16, 21], ['Young riders', 'Junge Reiter']),
	of(feiRiders, 'U25', [16, 25], ['Under 25', 'U25']),
	of(feiRiders, 'SENIOR', [18, null], ['Seniors', 'Senioren']),
];

/** The age classes of OeTO that differ in a discipline; there they replace the ones of the same code above. */
export const disciplineAgeClasses: readonly AgeClassBody[] = [
	of(oetoRiders, 'JUNIOR', [14, 18], ['Juniors, driving', 'Junioren Fahren'], 'DRIVING'),
	of(oetoRiders, 'JUNIOR', [null, 18], ['Juniors, vaulting', 'Junioren Voltigieren'], 'VAULTING'),
	of(
		oetoRiders,
		'JUNIOR',
		[10, 18],
		['Juniors, working equitation', 'Junioren Working Equitation'],
		'WORKING_EQUITATION',
	),
	of(oetoRiders, 'YOUTH', [8, 17], ['Youth, Icelandic horses', 'Jugend Islandpferde'], 'ICELANDIC'),
];

function of(
	group: Group,
	code: string,
	[minAge, maxAge]: Ages,
	[nameEn, nameDe]: Names,
	discipline: string | null = null,
): AgeClassBody {
	return { ...group, code, nameEn, nameDe, discipline, minAge, maxAge, validFrom: null, validTo: null };
}

/** ISO 3166-2 code, number of the state association in the federation, name, usual abbreviation. */
const austrian = [
	['AT-9', '01', 'Wien', 'W'],
	['AT-3', '02', 'Niederösterreich', 'NÖ'],
	['AT-1', '03', 'Burgenland', 'Bgld.'],
	['AT-6', '04', 'Steiermark', 'Stmk.'],
	['AT-2', '05', 'Kärnten', 'Ktn.'],
	['AT-4', '06', 'Oberösterreich', 'OÖ'],
	['AT-5', '07', 'Salzburg', 'Sbg.'],
	['AT-7', '08', 'Tirol', 'T'],
	['AT-8', '09', 'Vorarlberg', 'Vbg.'],
] as const;

/** The Austrian states. The federation's numbers are its own: they follow neither ISO nor the alphabet. */
export const states: readonly StateBody[] = austrian.map(
	([iso3166_2, federationCode, name, abbreviation]) => ({
		countryCode: 'AT',
		iso3166_2,
		federationCode,
		name,
		abbreviation,
		isActive: true,
	}),
);

/** Seed records of every installation; later sets refer to earlier ones. */
export const seedSets: readonly SeedSet<MasterdataSchema>[] = [
	seedOf('countries-1', 'countries', countries.map(countryRow)),
	seedOf('states-1', 'states', states.map(stateRow)),
	seedOf('age-classes-1', 'ageClasses', ageClasses.map(ageClassRow)),
	seedOf('age-classes-2', 'ageClasses', disciplineAgeClasses.map(ageClassRow)),
];

function seedOf<Table extends keyof MasterdataSchema>(
	name: string,
	table: Table,
	rows: readonly Insertable<MasterdataSchema[Table]>[],
): SeedSet<MasterdataSchema> {
	return {
		name,
		insert: async (db) => {
			const insert = db.insertInto(table).values(rows);
			await insert.onConflict((conflict) => conflict.doNothing()).execute();
		},
	};
}
