export { ageInYear, ageOnDate, dayAfter, dayCount, dayMax, dayMin, latestBirthDate, yearOf } from './day.ts';
export { isTimeZone } from './time-zone.ts';
export {
	dayIn,
	dayInVienna,
	fullAgeAt,
	fullAgeYears,
	sameTimeAfter,
	startOfDay,
	timeIn,
	timeInVienna,
	vienna,
} from './zoned-time.ts';
