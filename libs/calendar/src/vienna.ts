import { dayIn, timeIn } from './zoned-time.ts';

/** The zone of the federation's calendar. */
export const vienna = 'Europe/Vienna';

/** The day, `YYYY-MM-DD`, that the federation's calendar shows at that instant. */
export function dayInVienna(instant: Date): string {
	return dayIn(vienna, instant);
}

/** Date and time for people of the federation, on either side of a clock change: `1 May 2026 at 23:59 (Vienna)`. */
export function timeInVienna(instant: Date): string {
	return `${timeIn(vienna, instant)} (Vienna)`;
}
