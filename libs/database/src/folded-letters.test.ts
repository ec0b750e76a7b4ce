import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, type TestDatabase } from '@paddock/testing';
import { sql } from 'kysely';
import { createDatabase, type Database } from './database.ts';
import { foldedLetters, refilledTexts } from './refilled-texts.ts';
import { searchLines } from './search-lines.ts';

let own: TestDatabase;
let db: Database<unknown>;

beforeAll(async () => {
	own = await createTestDatabase({ name: 'empty', prepare: async () => {} });
	db = createDatabase({ url: own.url, applicationName: 'test', logger: silentLogger() });
	await sql`create table toys (id integer, name_text text not null, breed_key text)`.execute(db);
});

afterAll(async () => {
	await db.destroy();
	await own.drop();
});

test('letters in stored text are folded', async () => {
	const folded = ['odinn fra holum', 'thruma', 'hal', "o'neill 'n", 'jean-luc-marie', 'osterreich'];
	const stored = ['oðinn fra holum', 'þruma', 'ħal', 'o‘neill ʼn', 'jean\u2010luc\u2011marie', 'osterreich'];
	await sql`
		insert into toys
		select id, name, case when id > 1 then name end
		from unnest(${stored}::text[]) with ordinality as stored (name, id)`.execute(db);
	await foldedLetters({ toys: ['name_text', 'breed_key'] }).up(db);
	const { rows } = await sql`select name_text as name, breed_key as breed from toys order by id`.execute(db);
	expect(rows).toEqual(folded.map((name, at) => ({ name, breed: at === 0 ? null : name })));
});

test('computed texts of all records are written again, from the record or another table', async () => {
	await sql`create table named (id uuid primary key, name text not null, short text, lines text)`.execute(db);
	await sql`create table found (id uuid primary key, lines text not null)`.execute(db);
	await sql`
		insert into named select gen_random_uuid(), 'L´Étoile ' || n, case when n = 1 then 'É' end, 'old'
		from generate_series(1, 4100) n`.execute(db);
	await sql`insert into found select id, 'old' from named`.execute(db);
	const compute = (...texts: (string | null)[]) => [searchLines(...texts)];
	const read = ['name', 'short'] as const;
	const refill = refilledTexts(
		{ table: 'named', read: [...read], write: ['lines'], compute },
		{ table: 'found', from: 'named', read: [...read], write: ['lines'], compute },
	);
	await refill.up(db);
	const { rows } = await sql<{ name: string; short: string | null; lines: string; found: string }>`
		select name, short, named.lines, found.lines as found from named join found using (id)`.execute(db);
	expect(rows).toHaveLength(4100);
	for (const { name, short, lines, found } of rows)
		expect([lines, found]).toEqual([searchLines(name, short), searchLines(name, short)]);
	expect(rows.filter(({ short }) => short !== null)).toHaveLength(1);
});
