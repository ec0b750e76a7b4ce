import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, type TestDatabase } from '@paddock/testing';
import { searchForms } from '@paddock/text';
import { sql } from 'kysely';
import { createDatabase, type Database } from './database.ts';
import { foldedLetters } from './folded-letters.ts';

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

test('stored text is folded as new text is', async () => {
	const names = ['Óðinn frá Hólum', 'Þruma', 'Ħal', 'O‘Neill ʼn', 'Jean\u2010Luc\u2011Marie', 'Österreich'];
	// As they were folded before.
	const stored = ['oðinn fra holum', 'þruma', 'ħal', 'o‘neill ʼn', 'jean\u2010luc\u2011marie', 'osterreich'];
	await sql`
		insert into toys
		select id, name, case when id > 1 then name end
		from unnest(${stored}::text[]) with ordinality as stored (name, id)`.execute(db);
	await foldedLetters({ toys: ['name_text', 'breed_key'] }).up(db);
	const { rows } = await sql`select name_text as name, breed_key as breed from toys order by id`.execute(db);
	const folded = names.map((name) => searchForms(name).at(-1));
	expect(rows).toEqual(folded.map((name, at) => ({ name, breed: at === 0 ? null : name })));
});
