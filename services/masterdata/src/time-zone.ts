const areaAndPlace = /^[A-Z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)+$/;

/**
 * Whether the name is one of the IANA time zone database: UTC or `Area/Place`, aliases such as Europe/Kyiv included.
 * Offsets (`+01:00`) and the old names without an area (`CET`, `EST5EDT`) are no zones of a place.
 */
export function isTimeZone(name: string): boolean {
	if (name === 'UTC') return true;
	if (!areaAndPlace.test(name)) return false;
	try {
		const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
		// Intl ignores case; other readers of the name, do not.
		return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
	} catch (error) {
		if (error instanceof RangeError) return false;
		throw error;
	}
}
