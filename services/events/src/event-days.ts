/** How many days an event lasts at most, its first and last included. */
export const daysMax = 14;

const dayMs = 86_400_000;
/** The offsets of the world's zones lie between −12 and +14 hours. */
const offsetMsMax = 15 * 3_600_000;

/** How many days there are from one to the other, both counted; less than 1 when the second is earlier. */
export function daysOf(startDate: string, endDate: string): number {
	return (Date.parse(endDate) - Date.parse(startDate)) / dayMs + 1;
}

/** The day after, or so many days after, `YYYY-MM-DD`. */
export function dayAfter(day: string, days = 1): string {
	return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** The day, `YYYY-MM-DD`, that the calendar shows in the zone at that instant. */
export function dayIn(timeZone: string, instant: Date): string {
	// The Swedish locale writes dates as YYYY-MM-DD.
	return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(instant);
}

/**
 * The instant at which the day begins in the zone, which isn't everywhere and always midnight: where clocks go forward at
 * that hour a day begins at 1:00.
 */
export function startOfDay(timeZone: string, day: string): Date {
	let beforeMs = Date.parse(day) - offsetMsMax;
	let withinMs = Date.parse(day) + offsetMsMax;
	while (withinMs - beforeMs > 1) {
		const middleMs = Math.floor((beforeMs + withinMs) / 2);
		if (dayIn(timeZone, new Date(middleMs)) < day) beforeMs = middleMs;
		else withinMs = middleMs;
	}
	return new Date(withinMs);
}
