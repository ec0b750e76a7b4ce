import type { Discipline, Ruleset } from '../enumerations.ts';

/**
 * National: letter of the discipline, P for ponies only, and level, such as CSN-B, CDN-A*, CSNP-C, CSN-C-NEU (OeTO §3).
 * International: stars or age group, and a suffix for series or format, such as CSI3*-W, CSIO5*, CDI-W, CSIP, CDIU25 (FEI General
 * Regulations, Appendix A, and the discipline rules).
 */
const patterns: Readonly<Record<Ruleset, RegExp>> = {
	OETO: /^C[ACDERSV]NP?-(A\*|A|B\*|B|C\*|C|C-NEU)$/,
	FEI: /^C[ACDEISV]IO?(([1-5]\*)|(Am|Ch|J|P|U25|V|Y|YH)([1-5]\*)?|(?=-))(-(W|A|B|S|L|NC|CH))?$/,
};

/** Whether the rules had the category only in earlier years: C*. Events of those years keep it. */
export function isFormerCategory(category: string): boolean {
	return category.endsWith('-C*');
}

export const categoryExamples: Readonly<Record<Ruleset, string>> = {
	OETO: 'CSN-B or CDN-A*',
	FEI: 'CSI3*-W or CDIJ',
};

export function isCategory(category: string, ruleset: Ruleset): boolean {
	return patterns[ruleset].test(category);
}

/** By the second letter of a category, from the French names that the FEI uses (General Regulations, Appendix A). */
const disciplinesByLetter: Readonly<Record<string, readonly Discipline[]>> = {
	A: ['DRIVING'],
	C: ['EVENTING'],
	D: ['DRESSAGE', 'PARA_DRESSAGE'],
	E: ['ENDURANCE'],
	R: ['REINING', 'WESTERN'],
	S: ['JUMPING'],
	V: ['VAULTING'],
};

/** The disciplines of which an event of this category must offer at least one. Empty if the category implies none. */
export function disciplinesOfCategory(category: string): readonly Discipline[] {
	return disciplinesByLetter[category.charAt(1)] ?? [];
}
