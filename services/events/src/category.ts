import type { Discipline } from './disciplines.ts';
import type { Ruleset } from './rulesets.ts';

/**
 * How events are classed. A national concours has the letter of its discipline, a P where ponies alone start, and its
 * rank: CSN-B, CDN-A*, CSNP-C, CSN-C-NEU (OeTO §3). An international one has stars or the letters of its age group,
 * and maybe what it counts for: CSI3*-W, CSIO5*, CDI-W, CSIP, CCI4*-L, CDIU25 (FEI General Regulations, Appendix A, and
 * the discipline rules).
 */
const patterns: Readonly<Record<Ruleset, RegExp>> = {
	OETO: /^C[ACDERSV]NP?-(A\*|A|B\*|B|C\*|C|C-NEU)$/,
	FEI: /^C[ACDEISV]IO?(([1-5]\*)|(Am|Ch|J|P|U25|V|Y|YH)([1-5]\*)?|(?=-))(-(W|A|B|S|L|NC|CH))?$/,
};

/** Examples for the error message of an invalid category. */
export const categoryExamples: Readonly<Record<Ruleset, string>> = {
	OETO: 'CSN-B or CDN-A*',
	FEI: 'CSI3*-W or CDIJ',
};

/** Whether the ruleset knows categories of that form. */
export function isCategory(category: string, ruleset: Ruleset): boolean {
	return patterns[ruleset].test(category);
}

/** The second letter of a category, from the French names that the FEI uses (FEI General Regulations, Appendix A). */
const disciplinesByLetter: Readonly<Record<string, readonly Discipline[]>> = {
	A: ['DRIVING'],
	C: ['EVENTING'],
	D: ['DRESSAGE', 'PARA_DRESSAGE'],
	E: ['ENDURANCE'],
	R: ['REINING', 'WESTERN'],
	S: ['JUMPING'],
	V: ['VAULTING'],
};

/**
 * The disciplines of which an event of the category must offer one; it may offer others beside it. Empty where the
 * category stands for none.
 */
export function disciplinesOfCategory(category: string): readonly Discipline[] {
	return disciplinesByLetter[category.charAt(1)] ?? [];
}
