import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, type TestDatabase } from '@paddock/testing';
import { type Generated, sql } from 'kysely';
import { createDatabase, type Database } from './database.ts';

interface Schema {
	testRecords: { id: Generated<number>; postalCode: string; iso3166_2: string; address: string };
}

let testDatabase: TestDatabase;
let db: Database<Schema>;

beforeAll(async () => {
	testDatabase = await createTestDatabase({ name: 'empty', prepare: async () => {} });
	const { url } = testDatabase;
	db = createDatabase({ url, applicationName: 'test', logger: silentLogger() });
	await sql`
		create table test_records (
			id integer generated always as identity, postal_code text, iso3166_2 text, address jsonb
		)`.execute(db);
});
afterAll(async () => {
	await db.destroy();
	await testDatabase.drop();
});

test('columns are camelCase in queries and rows; names before digits and inside JSON stay', async () => {
	const row = {
		postalCode: '0999',
		iso3166_2: 'AT-3',
		address: JSON.stringify({ street_name: 'A', cityName: 'B' }),
	};
	const stored = { id: 1, ...row, address: { street_name: 'A', cityName: 'B' } };
	expect(await db.insertInto('testRecords').values(row).returningAll().execute()).toEqual([stored]);
	const found = db
		.selectFrom('testRecords')
		.selectAll()
		.where('iso3166_2', '=', 'AT-3')
		.orderBy('postalCode');
	expect(await found.execute()).toEqual([stored]);
	const raw = await sql`select postal_code, iso3166_2 from test_records`.execute(db);
	expect(raw.rows).toEqual([{ postalCode: '0999', iso3166_2: 'AT-3' }]);
});
