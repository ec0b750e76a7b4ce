import { yearOf } from '@paddock/calendar';
import type { FieldError } from '@paddock/contract';
import type { HorsesErrorCode } from '../errors.ts';
import type { Sex } from '../horses/words.ts';

type ParentRole = 'sire' | 'dam';

/** A gelding may have sired foals before castration. */
function canBe(role: ParentRole, sex: Sex): boolean {
	return (role === 'dam') === (sex === 'MARE');
}

/** The rule that prevents a horse from being the parent of the child; undefined if it is possible. */
export function parentProblem(
	role: ParentRole,
	parent: Birth & { readonly sex: Sex },
	child: Birth,
): Extract<HorsesErrorCode, 'WRONG_PARENT_SEX' | 'PARENT_TOO_YOUNG'> | undefined {
	if (!canBe(role, parent.sex)) return 'WRONG_PARENT_SEX';
	return isOldEnoughForParent(parent, child) ? undefined : 'PARENT_TOO_YOUNG';
}

export interface Birth {
	/** `YYYY-MM-DD` */
	readonly dateOfBirth: string | null;
	readonly birthYear: number;
}

const ageYearsMax = 45;
const parentAgeYearsMin = 2;

/** Of a body that has at least one of the two fields; if both, they agree. @throws TypeError if both are null. */
export function birthOf(body: {
	readonly dateOfBirth: string | null;
	readonly birthYear: number | null;
}): Birth {
	const { dateOfBirth } = body;
	const birthYear = dateOfBirth === null ? body.birthYear : yearOf(dateOfBirth);
	if (birthYear === null) throw new TypeError('A horse without a birth got past its schema.');
	return { dateOfBirth, birthYear };
}

export function isSameBirth(a: Birth, b: Birth): boolean {
	return a.dateOfBirth === b.dateOfBirth && a.birthYear === b.birthYear;
}

/** In the future, or too long ago for a horse that is alive, or that died on `dateOfDeath`. */
export function birthErrors(birth: Birth, today: string, dateOfDeath: string | null = null): FieldError[] {
	const field = birth.dateOfBirth === null ? 'birthYear' : 'dateOfBirth';
	const error = (message: string): FieldError[] => [{ field, code: 'INVALID_RANGE', message }];
	if (birth.birthYear > yearOf(today) || (birth.dateOfBirth ?? '') > today)
		return error('must not lie in the future');
	const yearMin = yearOf(dateOfDeath ?? today) - ageYearsMax;
	if (birth.birthYear >= yearMin) return [];
	return error(
		dateOfDeath === null
			? `must not lie before ${yearMin} for a living horse; an ancestor has a dateOfDeath`
			: `must not lie before ${yearMin}, ${ageYearsMax} years before the death`,
	);
}

export function firstDayOf({ dateOfBirth, birthYear }: Birth): string {
	return dateOfBirth ?? `${birthYear}-01-01`;
}

/** At least two years apart: by day if both days are known, otherwise by calendar year. */
export function isOldEnoughForParent(parent: Birth, child: Birth): boolean {
	if (child.birthYear - parent.birthYear < parentAgeYearsMin) return false;
	if (parent.dateOfBirth === null || child.dateOfBirth === null) return true;
	// ISO dates compare as text, so a 29 February needs no special case in a common year.
	return child.dateOfBirth >= `${parent.birthYear + parentAgeYearsMin}${parent.dateOfBirth.slice(4)}`;
}
