import { dayAfter, yearOf } from '@paddock/calendar';

/** Holidays of Austria with a fixed day, `MM-DD` (Feiertagsruhegesetz §1). */
const fixed = ['01-01', '01-06', '05-01', '08-15', '10-26', '11-01', '12-08', '12-25', '12-26'];
/** Days after Easter Sunday: Easter Monday, Ascension, Whit Monday, Corpus Christi. */
const movable = [1, 39, 50, 60];

/** Easter Sunday by the Gregorian calendar (anonymous algorithm of Meeus, Jones and Butcher). */
export function easterSunday(year: number): string {
	const a = year % 19;
	const b = Math.floor(year / 100);
	const c = year % 100;
	const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
	const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
	const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
	return `${year}-${String(Math.floor(f / 31)).padStart(2, '0')}-${String((f % 31) + 1).padStart(2, '0')}`;
}

/** Whether `YYYY-MM-DD` is neither Saturday, Sunday nor a holiday. */
export function isWorkingDay(day: string): boolean {
	const weekday = new Date(day).getUTCDay();
	if (weekday === 0 || weekday === 6 || fixed.includes(day.slice(5))) return false;
	const easter = easterSunday(yearOf(day));
	return !movable.some((days) => dayAfter(easter, days) === day);
}

/** The day itself, or the first working day after it. */
export function workingDayFrom(day: string): string {
	return isWorkingDay(day) ? day : workingDayFrom(dayAfter(day));
}
