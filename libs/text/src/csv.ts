import { stringify } from 'csv-stringify/sync';

/** An amount with two decimals; 1110 is 11.10. */
interface Hundredths {
	readonly hundredths: number;
}

/** Null is an empty field; an empty text is `""`. */
type CsvValue = string | number | Hundredths | null;

/** Name and value of each column, in order. */
export type CsvColumns<Row> = readonly (readonly [name: string, value: (row: Row) => CsvValue])[];

/**
 * `comma`: RFC 4180 for programs; text is written as it is. `semicolon`: for spreadsheets where the comma is the decimal
 * separator; text that a spreadsheet would convert is marked, see docs/decisions/0047. In both, formulas are neutralised.
 */
export type CsvForm = 'comma' | 'semicolon';

/**
 * The rows as a CSV file in parts, one for each batch of rows, for more rows than fit in memory. The byte order mark makes Excel decode
 * it as UTF-8.
 */
export async function* csvParts<Row>(
	columns: CsvColumns<Row>,
	batches: AsyncIterable<readonly Row[]>,
	form: CsvForm,
): AsyncGenerator<string> {
	let before = head(columns, form);
	for await (const rows of batches) {
		yield before + lines(columns, rows, form);
		before = '';
	}
	if (before !== '') yield before;
}

function head<Row>(columns: CsvColumns<Row>, form: CsvForm): string {
	return `\ufeff${text([columns.map(([name]) => name)], form)}`;
}

function lines<Row>(columns: CsvColumns<Row>, rows: readonly Row[], form: CsvForm): string {
	return text(
		rows.map((row) => columns.map(([, value]) => cell(value(row), form))),
		form,
	);
}

function text(cells: readonly (readonly (string | null)[])[], form: CsvForm): string {
	return stringify([...cells], {
		delimiter: form === 'comma' ? ',' : ';',
		// A field with one of these is quoted in both forms, so that a reader with another separator doesn't split it.
		quoted_match: /[\r\n\t,;]|^$/,
		record_delimiter: 'windows',
	});
}

function cell(value: CsvValue, form: CsvForm): string | null {
	if (value === null) return null;
	if (typeof value === 'number') return String(value);
	if (typeof value !== 'string') return decimal(value, form);
	const text = withoutFormulas(value);
	return form === 'semicolon' && text === value && isConverted(text) ? `${text}\t` : text;
}

function decimal({ hundredths }: Hundredths, form: CsvForm): string {
	const text = (hundredths / 100).toFixed(2);
	return form === 'comma' ? text : text.replace('.', ',');
}

/**
 * Text from which a spreadsheet runs no formula: an apostrophe precedes each character that begins one (OWASP, CSV
 * Injection), also behind a separator inside the text, where another spreadsheet splits the line.
 */
function withoutFormulas(text: string): string {
	return text
		.replace(/^(?=\s*[=+@\uff1d\uff0b\uff20\uff0d-]|[\t\r])/u, "'")
		.replace(/[,;\t\r\n]\s*(?=[=+@\uff1d\uff0b\uff20\uff0d-])/gu, "$&'");
}

/** Words that spreadsheets in the languages of Europe read as truth values. */
const truthValues = new Set(
	'true false wahr falsch vrai faux vero falso verdadero verdadeiro waar onwaar igaz hamis prawda fałsz pravda nepravda lož tosi epätosi sand falsk sant usann sann истина ложь αληθης ψευδης doğru yanlış adevărat fals'.split(
		' ',
	),
);

/** Longer texts are not dates in any notation. */
const dateLengthMax = 40;

/** Whether a spreadsheet may convert the text: `0012`, `1-2`, `MAR1`, `1E5`, `50%`, `#N/A`. In doubt it may. */
function isConverted(text: string): boolean {
	if (truthValues.has(text.trim().toLowerCase())) return true;
	const beginsWithLetter = /^\p{L}/u.test(text);
	if (/\p{N}/u.test(text)) return !beginsWithLetter || text.length <= dateLengthMax;
	return text.startsWith('#');
}
