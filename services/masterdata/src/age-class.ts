import type { AgeClass } from './schemas/age-class.ts';

/**
 * The age that counts for a class, whatever the day of birth: the year of the competition minus the year of birth.
 * OeTO §12(2); FEI General Regulations, Appendix A. Both dates `YYYY-MM-DD`.
 */
export function ageInYear(birthDate: string, date: string): number {
	return Number(date.slice(0, 4)) - Number(birthDate.slice(0, 4));
}

/** The age in completed years. Born on 29 February, one grows a year older on 1 March of a common year. */
export function ageOnDate(birthDate: string, date: string): number {
	const hadBirthday = date.slice(5) >= birthDate.slice(5);
	return ageInYear(birthDate, date) - (hadBirthday ? 0 : 1);
}

type Bounds = Pick<AgeClass, 'minAge' | 'maxAge' | 'validFrom' | 'validTo'>;

/** Whether somebody of that age may start in the class on that day; all bounds are inclusive, null is open. */
export function isApplicable(ageClass: Bounds, age: number, date: string): boolean {
	const { minAge, maxAge, validFrom, validTo } = ageClass;
	if (minAge !== null && age < minAge) return false;
	if (maxAge !== null && age > maxAge) return false;
	// Dates of this format compare as text.
	if (validFrom !== null && date < validFrom) return false;
	return validTo === null || date <= validTo;
}

// The Swedish locale writes dates as YYYY-MM-DD.
const viennaDay = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Vienna' });

/** The day in Austria at that instant, `YYYY-MM-DD`. */
export function dayInVienna(instant: Date): string {
	return viennaDay.format(instant);
}
