import { stringify } from 'csv-stringify/sync';
import type { Entry } from '../schemas/entry.ts';

/** The columns in order, with the value of each. */
const columns: readonly (readonly [
	string,
	(entry: Entry, numbers: ReadonlyMap<string, number>) => string | number | null,
])[] = [
	['Entry', (entry) => entry.entryNumber],
	['Status', (entry) => entry.status],
	['Position', (entry) => entry.position],
	['Type', (entry) => entry.type],
	['Rider', (entry) => entry.rider?.name ?? null],
	['Club', (entry) => entry.rider?.clubName ?? null],
	['Nation', (entry) => entry.rider?.nation ?? null],
	['Age classes', (entry) => entry.rider?.ageClasses.join(' ') ?? null],
	['Horse', (entry) => entry.horse.name],
	['Head number', (entry) => entry.horse.headNumber],
	['Born', (entry) => entry.horse.birthYear],
	['Sire', (entry) => entry.horse.sireName],
	['Competitions', (entry, numbers) => competitionNumbers(entry, numbers)],
	['Due EUR', (entry) => (entry.amountDue / 100).toFixed(2)],
	['Remarks', (entry) => entry.checks.map(({ message }) => message).join(' ')],
	['Reason', (entry) => entry.statusReason],
	['Entered at', (entry) => entry.createdAt],
];

/**
 * The entries as CSV (RFC 4180). The byte order mark makes Excel decode the file as UTF-8. Values are user input: one
 * that a spreadsheet would run as a formula gets an apostrophe as prefix (OWASP, CSV Injection). `numbers`: competition
 * id → its number.
 */
export function entriesFile(
	entries: readonly Entry[],
	numbers: ReadonlyMap<string, number>,
	separator: ',' | ';',
): string {
	const rows = entries.map((entry) => columns.map(([, value]) => harmless(value(entry, numbers))));
	return stringify([columns.map(([name]) => name), ...rows], {
		bom: true,
		delimiter: separator,
		escape_formulas: true,
		quoted_match: /[\r\n]/,
		record_delimiter: 'windows',
	});
}

/**
 * A spreadsheet that uses another separator splits values at it, so no formula may follow a separator character inside
 * a value. Quotation marks do not prevent this: they apply only at the beginning of a cell.
 */
function harmless(value: string | number | null): string | number | null {
	return typeof value === 'string' ? value.replace(/[,;\t\r\n]\s*(?=[=+@-])/g, "$&'") : value;
}

/** Numbers of the competitions whose starts have the status of the entry. */
function competitionNumbers({ status, starts }: Entry, numbers: ReadonlyMap<string, number>): string {
	const going = starts.filter((start) => start.status === status);
	return going.map(({ competitionId }) => numbers.get(competitionId) ?? '?').join(' ');
}
