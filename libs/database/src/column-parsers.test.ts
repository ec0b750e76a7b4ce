import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, type TestDatabase } from '@paddock/testing';
import { type RawBuilder, sql } from 'kysely';
import { types } from 'pg';
import { createDatabase, type Database } from './database.ts';

let testDatabase: TestDatabase;
let db: Database<unknown>;

beforeAll(async () => {
	testDatabase = await createTestDatabase({ name: 'empty', prepare: async () => {} });
	db = createDatabase({ url: testDatabase.url, applicationName: 'test', logger: silentLogger() });
});

afterAll(async () => {
	await db.destroy();
	await testDatabase.drop();
});

async function resultOf(expression: RawBuilder<unknown>): Promise<unknown> {
	const { rows } = await sql<{ value: unknown }>`select ${expression} as value`.execute(db);
	return rows[0]?.value;
}

describe('a column', () => {
	test.each([
		['date', sql`date '2012-02-29'`, '2012-02-29'],
		['date before the Common Era', sql`date '0044-03-15 BC'`, '0044-03-15 BC'],
		['date[] with null', sql`array[date '2026-01-01', null]`, ['2026-01-01', null]],
		['int8', sql`9007199254740991::int8`, Number.MAX_SAFE_INTEGER],
		['count(*)', sql`(select count(*) from generate_series(1, 3))`, 3],
		['int8[] of two dimensions', sql`array[array[1::int8, 2], array[3, 4]]`, [[1, 2], [3, 4]]], // biome-ignore format: one row a case
		['numeric', sql`47.123456::numeric(9, 6)`, 47.123456],
		['numeric below one', sql`-0.05::numeric`, -0.05],
		['numeric[]', sql`array[1.5, 2.25]`, [1.5, 2.25]],
		['timestamptz', sql`timestamptz '2026-03-29 02:30:00+01'`, new Date('2026-03-29T01:30:00Z')],
		['text[]', sql`array['a', 'b,c']`, ['a', 'b,c']],
		['jsonb', sql`'{"a": [1]}'::jsonb`, { a: [1] }],
		['null', sql`null::date`, null],
	])('of type %s', async (_type, expression, expected) => {
		expect(await resultOf(expression)).toEqual(expected);
	});

	test.each([
		['int8 beyond 2^53', sql`9007199254740993::int8`, /no safe integer/],
		['numeric with more digits than a double keeps', sql`1234567890.1234567::numeric`, /not exact/],
		['numeric NaN', sql`'NaN'::numeric`, /not exact/],
	])('of type %s is refused, and the connection works on', async (_type, expression, message) => {
		await expect(resultOf(expression)).rejects.toThrow(message);
		expect(await resultOf(sql`1`)).toBe(1);
	});
});

test('the driver’s own parsers are not changed', () => {
	expect(types.getTypeParser(20)('5')).toBe('5');
});
