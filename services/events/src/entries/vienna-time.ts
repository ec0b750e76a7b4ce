const viennaTime = new Intl.DateTimeFormat('en-GB', {
	timeZone: 'Europe/Vienna',
	day: 'numeric',
	month: 'long',
	year: 'numeric',
	hour: '2-digit',
	minute: '2-digit',
});

/** An instant as people of the federation read it, on either side of a clock change: `1 May 2026 at 23:59 (Vienna)`. */
export function inViennaTime(instant: Date): string {
	return `${viennaTime.format(instant)} (Vienna)`;
}
