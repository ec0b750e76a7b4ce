import { yearOf } from '@paddock/calendar';
import type { FieldError } from '@paddock/contract';

/** When a horse was born: the day where it is known, the year always. */
export interface Birth {
	/** `YYYY-MM-DD` */
	readonly dateOfBirth: string | null;
	readonly birthYear: number;
}

export const ageYearsMax = 45;
const parentAgeYearsMin = 2;

/** Of a body in which one of the two is given, or both agree. @throws TypeError when neither is. */
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

/** Errors of a birth that is newly recorded on that day: in the future, or too long ago for a living horse. */
export function birthErrors(birth: Birth, today: string): FieldError[] {
	const field = birth.dateOfBirth === null ? 'birthYear' : 'dateOfBirth';
	const error = (message: string): FieldError[] => [{ field, code: 'INVALID_RANGE', message }];
	if (birth.birthYear > yearOf(today) || (birth.dateOfBirth ?? '') > today)
		return error('must not lie in the future');
	const yearMin = yearOf(today) - ageYearsMax;
	return birth.birthYear < yearMin ? error(`must not lie before ${yearMin}`) : [];
}

/** The first day on which the horse can have been in the world. */
export function firstDayOf({ dateOfBirth, birthYear }: Birth): string {
	return dateOfBirth ?? `${birthYear}-01-01`;
}

/** Two years from day to day where both days are known, otherwise by calendar year. */
export function isOldEnoughForParent(parent: Birth, child: Birth): boolean {
	if (child.birthYear - parent.birthYear < parentAgeYearsMin) return false;
	if (parent.dateOfBirth === null || child.dateOfBirth === null) return true;
	// Text compares like days do, and a 29 February needs no day of its own in a common year.
	return child.dateOfBirth >= `${parent.birthYear + parentAgeYearsMin}${parent.dateOfBirth.slice(4)}`;
}
