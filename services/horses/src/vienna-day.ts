const inVienna = new Intl.DateTimeFormat('en-CA', {
	timeZone: 'Europe/Vienna',
	year: 'numeric',
	month: '2-digit',
	day: '2-digit',
});

/** The day that the federation's calendar shows at this instant, `YYYY-MM-DD`. */
export function viennaDay(instant: Date): string {
	return inVienna.format(instant);
}

/** The calendar year of a day. */
export function yearOf(day: string): number {
	return Number(day.slice(0, 4));
}
