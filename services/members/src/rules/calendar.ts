// The Swedish locale writes dates as YYYY-MM-DD.
const viennaDay = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Vienna' });

/** The day in Austria at that instant, `YYYY-MM-DD`. */
export function dayInVienna(instant: Date): string {
	return viennaDay.format(instant);
}

/** The age in completed years; both `YYYY-MM-DD`. Born on 29 February, one grows a year older on 1 March of a common year. */
export function ageOnDate(birthDate: string, date: string): number {
	const years = Number(date.slice(0, 4)) - Number(birthDate.slice(0, 4));
	const hadBirthday = date.slice(5) >= birthDate.slice(5);
	return hadBirthday ? years : years - 1;
}

/** The latest birth date of somebody who is at least that old on that day; both `YYYY-MM-DD`. */
export function latestBirthDate(ageYears: number, date: string): string {
	const year = Number(date.slice(0, 4)) - ageYears;
	const sameDay = `${String(year).padStart(4, '0')}${date.slice(4)}`;
	// 29 February of a common year doesn't exist, and whoever was born on the day before has that age.
	return date.endsWith('-02-29') && !isLeapYear(year) ? sameDay.replace(/29$/, '28') : sameDay;
}

function isLeapYear(year: number): boolean {
	return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}
