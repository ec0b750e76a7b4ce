import { type CsvColumns, type CsvForm, csvFile } from '@paddock/text/csv';
import type { Entry } from './entry-schemas.ts';

function columnsOf(numbers: ReadonlyMap<string, number>): CsvColumns<Entry> {
	return [
		['Entry', (entry) => entry.entryNumber],
		['Status', (entry) => entry.status],
		['Position', (entry) => entry.position],
		['Type', (entry) => entry.type],
		['Rider', (entry) => entry.rider?.name ?? null],
		['Club', (entry) => entry.rider?.clubName ?? null],
		['Nation', (entry) => entry.rider?.nation ?? null],
		['Age classes', (entry) => entry.rider?.ageClasses.join(' ') || null],
		['Horse', (entry) => entry.horse.name],
		['Head number', (entry) => entry.horse.headNumber],
		['Born', (entry) => entry.horse.birthYear],
		['Sire', (entry) => entry.horse.sireName],
		['Competitions', (entry) => competitionNumbers(entry, numbers)],
		['Due EUR', (entry) => ({ hundredths: entry.amountDue })],
		['Remarks', (entry) => entry.checks.map(({ message }) => message).join(' ')],
		['Reason', (entry) => entry.statusReason],
		['Entered at', (entry) => entry.createdAt],
	];
}

/** The entries as CSV. `numbers`: competition id → its number. */
export function entriesFile(
	entries: readonly Entry[],
	numbers: ReadonlyMap<string, number>,
	form: CsvForm,
): string {
	return csvFile(columnsOf(numbers), entries, form);
}

/** Numbers of the competitions whose starts have the status of the entry. */
function competitionNumbers({ status, starts }: Entry, numbers: ReadonlyMap<string, number>): string {
	const going = starts.filter((start) => start.status === status);
	return going.map(({ competitionId }) => numbers.get(competitionId) ?? '?').join(' ');
}
