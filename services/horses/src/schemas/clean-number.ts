/** Comparison form of a number: without blanks, dots, hyphens and colons, which people and scanners add; upper case. */
export function cleanNumber(text: string): string {
	return text.replace(/[\s.:-]/g, '').toUpperCase();
}

/**
 * Three digits for the country, three characters for the database, nine for the animal; there is no check digit.
 * https://www.ueln.net/what-is-the-ueln/
 */
export const uelnFormat = /^\d{3}[0-9A-Z]{12}$/;

/** Matches exactly the texts that `cleanNumber` turns into a UELN. */
export const writtenUelnFormat = /^(?:[\s.:-]*\d){3}(?:[\s.:-]*[0-9A-Za-z]){12}[\s.:-]*$/;

/** The ISO 3166-1 numeric country code at the start of a UELN. */
export function countryOfUeln(ueln: string): string {
	return ueln.slice(0, 3);
}
