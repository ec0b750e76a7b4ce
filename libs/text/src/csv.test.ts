import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { describeWithPrograms } from '../../testing/src/describe-with-programs.ts';
import { type CsvColumns, type CsvForm, csvParts } from './csv.ts';

const folder = mkdtempSync(join(tmpdir(), 'paddock-csv-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function csvFile<Row>(columns: CsvColumns<Row>, rows: readonly Row[], form: CsvForm): Promise<string> {
	async function* batches() {
		for (const row of rows) yield [row];
	}
	let file = '';
	for await (const part of csvParts(columns, batches(), form)) file += part;
	return file;
}

const column = (form: CsvForm, texts: readonly (string | null)[]) =>
	csvFile(
		[
			['A', (text: string | null) => text],
			['B', () => 1],
		],
		texts,
		form,
	);

describe('a CSV file', () => {
	test('for programs has the text as it is', async () => {
		const texts = [
			'0012',
			'1-2',
			'TRUE',
			'11.10',
			'a,b',
			'a;b',
			'say "x"',
			'two\nlines',
			' ',
			'',
			null,
			'Jörg',
		];
		expect(await column('comma', texts)).toBe(
			'\ufeffA,B\r\n0012,1\r\n1-2,1\r\nTRUE,1\r\n11.10,1\r\n"a,b",1\r\n"a;b",1\r\n"say ""x""",1\r\n"two\nlines",1\r\n ,1\r\n"",1\r\n,1\r\nJörg,1\r\n',
		);
	});

	test('has amounts with two decimals: a point for programs, a comma for spreadsheets', async () => {
		const of = (form: CsvForm) =>
			csvFile([['Due', (hundredths: number) => ({ hundredths })]], [1110, 5, -250, 0, 123_456_789], form);
		expect(await of('comma')).toBe('\ufeffDue\r\n11.10\r\n0.05\r\n-2.50\r\n0.00\r\n1234567.89\r\n');
		// Quoted: LibreOffice's dialog splits at commas as well unless told otherwise.
		expect(await of('semicolon')).toBe(
			'\ufeffDue\r\n"11,10"\r\n"0,05"\r\n"-2,50"\r\n"0,00"\r\n"1234567,89"\r\n',
		);
	});

	test('runs no formula, whichever separator the spreadsheet uses', async () => {
		const texts = [
			'=1+1',
			'+43 1',
			'-2',
			'@SUM(A1)',
			'\t=1',
			'\uff1d1',
			' =1',
			'a;=1',
			'a, =1',
			'a\n=1',
			'a\t=1',
		];
		for (const form of ['comma', 'semicolon'] as const)
			for (const cell of (await column(form, texts)).slice(1).split(/[,;\t\r\n"]/))
				expect(cell).not.toMatch(/^\s*[=+@\uff1d-]/);
	});
});

// Text that a spreadsheet may convert, in several languages.
const converted = [
	...[
		'0012',
		'007',
		'1.0',
		'999040000000901',
		'9990400000009011234',
		'1,5',
		'1.234,50',
		'12 345',
		'1 2',
		'3 1/2',
	],
	...[
		'1-2',
		'1/2',
		'3/4',
		'11.10',
		'11.10.',
		'1.2.2026',
		'2026-09-15',
		'2026-09-15T10:00:00.000Z',
		'12:30',
		'5 PM',
	],
	...['MAR1', 'Mai 5', 'Jan-25', 'Jänner 2026', '1. Mai', '5-Dec', 'SEP 2', 'Montag, 5. Mai 2026', 'Q1'],
	...[
		'1E5',
		'1e-3',
		'2D3',
		'0x1F',
		'12e12',
		'50%',
		'5 €',
		'€ 5',
		'$5',
		'5 EUR',
		'CHF 5',
		'(5)',
		'.5',
		'1_000',
	],
	...['TRUE', 'false', 'Wahr', 'FALSCH', 'VRAI', 'vero', '#N/A', '#REF!', '#', '٠٠١٢', '００１２', '½', '²'],
];
const kept = [
	...[
		'Jörg Müller',
		'Zügelbauer; Eva',
		'x,y',
		'say "x"',
		'"x"',
		'two\nlines',
		'Ł',
		'Федор',
		'李',
		'🐎',
		"O'Neill",
	],
	...[
		'?',
		'…',
		' leading',
		'trailing ',
		'a\tb',
		"'",
		'"',
		'Wahrheit',
		'März',
		'May',
		'E',
		'…and a remark of 2026.',
	],
	'A remark that is longer than any date can be, in any language, with 2026 in it.',
];

describe('text that a spreadsheet would convert', () => {
	test.each(converted)('%j is marked with a tab in the form for spreadsheets', async (text) => {
		expect(await column('semicolon', [text])).toBe(`\ufeffA;B\r\n"${text}\t";1\r\n`);
	});
});

describeWithPrograms(['soffice'], 'a file that a spreadsheet opens', () => {
	// de-AT and en-US as LCID.
	test.each([3079, 1033])(
		'keeps text as it is, and reads numbers and amounts as such (%i)',
		async (language) => {
			const texts = [...converted, ...kept];
			const file = await csvFile(
				[
					['Text', (text: string) => text],
					['Number', () => 7],
					['Amount', () => ({ hundredths: 1110 })],
				],
				texts,
				'semicolon',
			);
			const rows = opened(file, language);
			expect(rows[0]?.map(({ text }) => text)).toEqual(['Text', 'Number', 'Amount']);
			expect(rows.slice(1).map(([cell]) => cell?.text.replace(/\t$/, ''))).toEqual(texts);
			expect(new Set(rows.slice(1).map(([cell]) => cell?.type))).toEqual(new Set(['string']));
			expect(new Set(rows.slice(1).map((row) => row[1]?.type))).toEqual(new Set(['float']));
			if (language === 3079)
				for (const row of rows.slice(1)) expect(row[2]).toMatchObject({ type: 'float', value: '11.1' });
		},
		60_000,
	);
});

interface Cell {
	readonly type: string;
	readonly value: string | undefined;
	readonly text: string;
}

/** The cells of the file as LibreOffice reads it with this language, all special notations included. */
function opened(file: string, language: number): readonly (readonly Cell[])[] {
	const path = join(folder, `${language}.csv`);
	writeFileSync(path, file);
	// https://help.libreoffice.org/latest/en-US/text/shared/guide/csv_params.html: `;`, `"`, UTF-8, all special numbers.
	const filter = `CSV:59,34,76,1,,${language},false,true,false`;
	const profile = `-env:UserInstallation=file://${folder}/profile`;
	const { status, stderr } = spawnSync(
		'soffice',
		[profile, '--headless', '--convert-to', 'fods', '--outdir', folder, `--infilter=${filter}`, path],
		{ encoding: 'utf8' },
	);
	if (status !== 0) throw new Error(stderr);
	const sheet = readFileSync(join(folder, `${language}.fods`), 'utf8');
	const rows = [...sheet.matchAll(/<table:table-row[\s>].*?<\/table:table-row>/gs)];
	return rows.map(([row]) =>
		[...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].map(
			([, head = '', body = '']) => ({
				type: /office:value-type="(\w+)"/.exec(head)?.[1] ?? 'none',
				value: /office:value="([^"]*)"/.exec(head)?.[1],
				text: textOf(body),
			}),
		),
	);
}

function textOf(body: string): string {
	const lines = [...body.matchAll(/<text:p>(.*?)<\/text:p>/gs)].map(([, line = '']) => line);
	const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: '&', lt: '<', gt: '>' };
	return lines
		.join('\n')
		.replace(/<text:s(?: text:c="(\d+)")?\/>/g, (_, count = '1') => ' '.repeat(Number(count)))
		.replaceAll('<text:tab/>', '\t')
		.replace(/<[^>]*>/g, '')
		.replace(/&(\w+);/g, (entity, name: string) => entities[name] ?? entity);
}
