/** A number as it is compared: people and scanners write the same one with blanks, dots, hyphens and colons. */
export function cleanNumber(text: string): string {
	return text.replace(/[\s.:-]/g, '').toUpperCase();
}

/**
 * Three digits for the country, three characters for the database there, nine of its own; there is no check digit.
 * https://www.ueln.net/what-is-the-ueln/
 */
export const uelnFormat = /^\d{3}[0-9A-Z]{12}$/;

/** The same before `cleanNumber`: what cleans to a UELN, and nothing else does. */
export const writtenUelnFormat = /^(?:[\s.:-]*\d){3}(?:[\s.:-]*[0-9A-Za-z]){12}[\s.:-]*$/;

/** The ISO 3166-1 numeric code that a UELN begins with. */
export function countryOfUeln(ueln: string): string {
	return ueln.slice(0, 3);
}
