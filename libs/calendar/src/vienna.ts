import { dayIn, timeIn } from './zoned-time.ts';

/** The zone of the federation's calendar. */
export const vienna = 'Europe/Vienna';

/** The date, `YYYY-MM-DD`, in Vienna at that instant. */
export function dayInVienna(instant: Date): string {
	return dayIn(vienna, instant);
}

/** Date and time for display, also around clock changes: `1 May 2026 at 23:59 (Vienna)`. */
export function timeInVienna(instant: Date): string {
	return `${timeIn(vienna, instant)} (Vienna)`;
}
