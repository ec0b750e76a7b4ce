const dayMs = 86_400_000;

/** The range for the days of births, rules and events, inclusive. */
export const dayMin = '1900-01-01';
export const dayMax = '2199-12-31';

/** The calendar year of `YYYY-MM-DD`. */
export function yearOf(day: string): number {
	return Number(day.slice(0, 4));
}

/** The day `days` after `YYYY-MM-DD`; a negative number counts back. */
export function dayAfter(day: string, days = 1): string {
	return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** The number of days from the first to the last, both included; less than 1 if the last precedes the first. */
export function dayCount(first: string, last: string): number {
	return (Date.parse(last) - Date.parse(first)) / dayMs + 1;
}

/** Year of the competition minus year of birth (`born`: or `YYYY-MM-DD`). OeTO §12(2); FEI General Regulations, Appendix A. */
export function ageInYear(born: number | string, date: string): number {
	return yearOf(date) - (typeof born === 'number' ? born : yearOf(born));
}

/** The age in completed years, both `YYYY-MM-DD`. In a common year a birthday on 29 February counts from 1 March. */
export function ageOnDate(birthDate: string, date: string): number {
	const hadBirthday = date.slice(5) >= birthDate.slice(5);
	return ageInYear(birthDate, date) - (hadBirthday ? 0 : 1);
}

/** The latest birth date of a person who is at least `ageYears` old on `date`; both `YYYY-MM-DD`. */
export function latestBirthDate(ageYears: number, date: string): string {
	const year = yearOf(date) - ageYears;
	const sameDay = `${String(year).padStart(4, '0')}${date.slice(4)}`;
	// A common year has no 29 February; a person born on the 28th has reached that age.
	return date.endsWith('-02-29') && !isLeapYear(year) ? sameDay.replace(/29$/, '28') : sameDay;
}

function isLeapYear(year: number): boolean {
	return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}
