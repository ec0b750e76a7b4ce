import { yearOf } from './day.ts';
import { dateAndTime, offsetMsAt } from './time-zone.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** More than any offset: offsets are between −12 and +14 hours. */
const offsetMsMax = 15 * 60 * minuteMs;
/** A zone that crosses the date line skips a whole day; no zone skips more. */
const skippedMinutesMax = 24 * 60;

/** The date, `YYYY-MM-DD`, in the zone at that instant. */
export function dayIn(timeZone: string, instant: Date): string {
	return localTime(timeZone, instant).toISOString().slice(0, 10);
}

/** Date and time in the zone for display: `1 May 2026 at 23:59`. */
export function timeIn(timeZone: string, instant: Date): string {
	return dateAndTime(localTime(timeZone, instant));
}

/** The zone's local time in the UTC fields of a Date. */
function localTime(timeZone: string, instant: Date): Date {
	return new Date(instant.getTime() + offsetMsAt(timeZone, instant.getTime()));
}

/** The first instant of `YYYY-MM-DD` in the zone: midnight, the earlier of two, or the clock change that skips it. */
export function startOfDay(timeZone: string, day: string): Date {
	return instantOf(timeZone, Date.parse(day));
}

/** The same local time that many days later: the earlier instant if clocks repeat it, the clock change if they skip it. */
export function sameTimeAfter(timeZone: string, instant: Date, days: number): Date {
	return instantOf(timeZone, localTime(timeZone, instant).getTime() + days * dayMs);
}

/** The instant of a local time of the zone, which is given as that of UTC. */
function instantOf(timeZone: string, localMs: number): Date {
	const before = offsetMsAt(timeZone, localMs - offsetMsMax);
	const after = offsetMsAt(timeZone, localMs + offsetMsMax);
	for (const offset of [Math.max(before, after), Math.min(before, after)]) {
		const instantMs = localMs - offset;
		if (offsetMsAt(timeZone, instantMs) === offset) return new Date(instantMs);
	}
	return new Date(changeOfClocks(timeZone, localMs - before, before));
}

/** The instant at which the offset `before` ended, at or some minutes before `latestMs`: clocks change on whole minutes. */
function changeOfClocks(timeZone: string, latestMs: number, before: number): number {
	let changeMs = latestMs;
	for (let minutes = 0; minutes < skippedMinutesMax; minutes += 1) {
		if (offsetMsAt(timeZone, changeMs - minuteMs) === before) break;
		changeMs -= minuteMs;
	}
	return changeMs;
}

/** The zone of the federation's calendar. */
export const vienna = 'Europe/Vienna';

export function dayInVienna(instant: Date): string {
	return dayIn(vienna, instant);
}

/** Date and time for display, also around clock changes: `1 May 2026 at 23:59 (Vienna)`. */
export function timeInVienna(instant: Date): string {
	return `${timeIn(vienna, instant)} (Vienna)`;
}

/** A minor needs a guardian, who has no rights from this age on. */
export const fullAgeYears = 18;

/** The first instant of the 18th birthday, in Vienna. A birthday on 29 February counts from 1 March in a common year. */
export function fullAgeAt(dateOfBirth: string): Date {
	const year = yearOf(dateOfBirth) + fullAgeYears;
	const isLeapDay = dateOfBirth.endsWith('-02-29');
	const isLeapYear = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
	const birthday = isLeapDay && !isLeapYear ? '-03-01' : dateOfBirth.slice(4);
	return startOfDay(vienna, `${year}${birthday}`);
}
