import type { AgeClassBody } from '../age-classes/schemas.ts';

type Names = readonly [nameEn: string, nameDe: string];
type Ages = readonly [minAge: number, maxAge: number | null];
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

function of(
	group: Group,
	code: string,
	[minAge, maxAge]: Ages,
	[nameEn, nameDe]: Names,
	discipline: string | null = null,
): AgeClassBody {
	return { ...group, code, nameEn, nameDe, discipline, minAge, maxAge, validFrom: null, validTo: null };
}
