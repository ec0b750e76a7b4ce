export { ageInYear, ageOnDate, dayAfter, dayCount, dayMax, dayMin, latestBirthDate, yearOf } from './day.ts';
export { isTimeZone } from './time-zone.ts';
export { dayInVienna, timeInVienna, vienna } from './vienna.ts';
export { dayIn, sameTimeAfter, startOfDay, timeIn } from './zoned-time.ts';
