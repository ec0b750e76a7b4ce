/** One formatter per zone: each uses 30 KB outside V8's heap, so one per call would grow the process by gigabytes. */
const formatters = new Map<string, Intl.DateTimeFormat>();
/** The IANA database has about 600 names with its aliases; the bound holds even if a caller passes other spellings. */
const formattersMax = 1_000;

let display: Intl.DateTimeFormat | undefined;

/** `1 May 2026 at 23:59`, from the UTC fields of a Date. */
export function dateAndTime(date: Date): string {
	// Created at the first use: it would take a hundredth of the start of every process.
	display ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
	return display.format(date);
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
	// Intl ignores case. Keyed by lower case, `europe/VIENNA` shares the formatter of `Europe/Vienna`.
	const key = timeZone.toLowerCase();
	const cached = formatters.get(key);
	if (cached !== undefined) return cached;
	const formatter = new Intl.DateTimeFormat('en-US', {
		timeZone,
		calendar: 'gregory',
		numberingSystem: 'latn',
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	});
	if (formatters.size >= formattersMax) formatters.clear();
	formatters.set(key, formatter);
	return formatter;
}

/** No zone changed its clocks before 1800, and years from then on need no era. */
const firstMs = Date.UTC(1800, 0, 1);

/** Local time minus UTC in milliseconds, e.g. 7,200,000 for Vienna in summer. @throws RangeError if the zone is unknown */
export function offsetMsAt(timeZone: string, instantMs: number): number {
	const secondMs = Math.floor(Math.max(instantMs, firstMs) / 1_000) * 1_000;
	const parts = formatterOf(timeZone).format(secondMs).match(/\d+/g)?.map(Number) ?? [];
	const [month = 1, day, year = 0, hour, minute, second] = parts;
	return Date.UTC(year, month - 1, day, hour, minute, second) - secondMs;
}

const areaAndPlace = /^[A-Z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)+$/;
const nameCharsMax = 100;

/** Whether the name is UTC or an IANA zone `Area/Place`; not an offset (`+01:00`) or a name without an area (`CET`). */
export function isTimeZone(name: string): boolean {
	if (name === 'UTC') return true;
	if (name.length > nameCharsMax || !areaAndPlace.test(name)) return false;
	try {
		const { timeZone } = formatterOf(name).resolvedOptions();
		// Intl ignores case; other readers of the name do not.
		return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
	} catch (error) {
		if (error instanceof RangeError) return false;
		throw error;
	}
}
