import { expect, test } from '@jest/globals';
import { apiError } from '@paddock/contract';
import { day } from './field-schemas.ts';
import { pageRequest } from './paging.ts';
import { id, instant, isoDate, line, paragraphs } from './schemas.ts';

const takes = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
	schema.safeParse(value).success;

test('an id is a UUID, kept in lower case', () => {
	expect(id.parse('0B9C6C3E-6F0E-4A53-8F0A-0D2B1F1C7A11')).toBe('0b9c6c3e-6f0e-4a53-8f0a-0d2b1f1c7a11');
	for (const value of [
		'{0b9c6c3e-6f0e-4a53-8f0a-0d2b1f1c7a11}',
		'0b9c6c3e6f0e4a538f0a0d2b1f1c7a11',
		'',
		7,
		null,
	])
		expect(takes(id, value)).toBe(false);
});

test('a date is a day of the calendar', () => {
	for (const value of ['2024-02-29', '0001-01-01', '9999-12-31']) expect(takes(isoDate, value)).toBe(true);
	const wrong = [
		'2026-02-29',
		'2026-13-01',
		'2026-00-10',
		'0000-01-01',
		'2026-1-1',
		'20260101',
		'+012026-01-01',
		'2026-01-01T00:00:00Z',
		' 2026-01-01',
		20260101,
	];
	expect(wrong.filter((value) => takes(isoDate, value))).toEqual([]);
	// Both of its ranges refused this text too.
	expect(day.safeParse('01.01.2027').error?.issues).toMatchObject([
		{ message: 'must be a date such as 2026-02-28' },
	]);
});

test('an instant says its zone', () => {
	for (const value of ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123+01:00'])
		expect(takes(instant, value)).toBe(true);
	const wrong = [
		'2026-01-01T00:00:00',
		'2026-01-01',
		'2026-01-01T24:00:00Z',
		'2026-01-01T00:00:60Z',
		'2026-01-01 00:00:00Z',
	];
	expect(wrong.filter((value) => takes(instant, value))).toEqual([]);
});

test('the length of a line counts what people count', () => {
	const four = line(4, 4);
	expect(takes(four, '\u{1F40E}'.repeat(4))).toBe(true);
	expect(takes(four, '  abcd\t')).toBe(true);
	expect(four.parse('a\u0308bcd')).toBe('\u00e4bcd');
	expect(takes(four, '    ')).toBe(false);
});

test('a line has no breaks and nothing that steers a terminal; paragraphs may have breaks', () => {
	for (const control of ['\u0000', '\u001b', '\u007f', '\u009b', '\u2028', '\n']) {
		expect(takes(line(1, 9), `a${control}b`)).toBe(false);
		expect(takes(paragraphs(1, 9), `a${control}b`)).toBe(['\n', '\u2028'].includes(control));
	}
	expect(takes(line(1, 9), 'a b-c.\u00df')).toBe(true);
});

test('an instant lies in the years of a day, whatever its zone', () => {
	const right = ['1900-01-01T00:00:00Z', '2199-12-31T23:59:59.999Z', '1899-12-31T23:00:00-01:00'];
	const wrong = [
		'0000-01-01T00:00:00Z',
		'0001-01-01T00:00:00Z',
		'1900-01-01T00:00:00+01:00',
		'9999-12-31T23:59:59Z',
	];
	expect(right.filter((value) => !takes(instant, value))).toEqual([]);
	expect(wrong.map((value) => instant.safeParse(value).error?.issues.map(({ message }) => message))).toEqual(
		wrong.map(() => ['must be from 1900 to 2199']),
	);
});

test('a line has no invisible characters; paragraphs keep emoji but no bidirectional controls', () => {
	for (const control of ['\u200b', '\u202e', '\u2066', '\ufeff', '\u00ad'])
		expect(takes(line(1, 9), `a${control}b`)).toBe(false);
	expect(takes(paragraphs(1, 9), 'a\u202eb')).toBe(false);
	expect(takes(paragraphs(1, 9), '\u{1f469}\u200d\u{1f33e}')).toBe(true);
	expect(line(1, 9).parse('\u0639\u0644\u06cc\u200c\u0631\u0636\u0627')).toContain('\u200c');
});

// Normalisation sorts runs of marks in quadratic time: 100 KB of them took seconds before the length was checked.
test('text is refused before it is normalised', () => {
	const messages = (value: string) =>
		line(1, 100)
			.safeParse(value)
			.error?.issues.map(({ message }) => message);
	const cpu = process.cpuUsage();
	expect(messages(`a${'\u0301'.repeat(25_000)}${'\u0323'.repeat(25_000)}`)).toEqual([
		'must have 1 to 100 characters',
	]);
	expect(messages(`a${'\u0301'.repeat(31)}`)).toEqual([
		'must not have more than 30 combining marks in a row',
	]);
	expect(process.cpuUsage(cpu).user).toBeLessThan(200_000);
	expect(takes(line(1, 100), `a${'\u0301'.repeat(30)}`)).toBe(true);
	expect(takes(line(100, 100), 'e\u0302\u0301'.repeat(100))).toBe(true);
});

test('a page is requested in one of two ways', () => {
	expect(pageRequest({})).toMatchObject({ size: 50, offset: 0 });
	expect(pageRequest({ page: 3 })).toMatchObject({ size: 50, offset: 100 });
	expect(pageRequest({ page: 2, size: 7 })).toMatchObject({ size: 7, offset: 7 });
	expect(pageRequest({ limit: 7, offset: 3 })).toMatchObject({ size: 7, offset: 3 });
	expect(pageRequest({ offset: 3 })).toMatchObject({ size: 50, offset: 3 });
	expect(pageRequest({ page: 50, size: 200 })).toMatchObject({ size: 200, offset: 9_800 });
	expect(pageRequest({ cursor: 'x', size: 7 })).toMatchObject({ size: 7, offset: 0, cursor: 'x' });
	for (const mixed of [
		{ page: 1, limit: 1 },
		{ size: 1, offset: 0 },
		{ cursor: 'x', page: 1 },
		{ cursor: 'x', limit: 1 },
		{ cursor: 'x', offset: 0 },
	])
		expect(() => pageRequest(mixed)).toThrow(apiError('INVALID_QUERY_PARAMETER').message);
});
