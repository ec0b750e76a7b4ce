import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ApiError, PageRequest, SortCriterion } from '@paddock/contract';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, fillTestDatabase, type TestDatabase } from '@paddock/testing';
import { type RawBuilder, sql } from 'kysely';
import { createDatabase, type Database } from './database.ts';
import { compared, frequentShare, isSmall, recentSince, shareOf } from './list-conditions.ts';
import { cursorOf, positionOf } from './list-cursor.ts';
import { alphabetical, alphabeticalOrLast, beginsWith, isBeginning } from './list-order.ts';
import { listPage } from './list-page.ts';

interface Pony {
	id: string;
	name: string;
	breed: string | null;
	height: number | null;
	bornAt: Date;
}

type Field = 'name' | 'breed' | 'height' | 'bornAt' | 'id' | 'createdAt' | 'updatedAt';

const order = {
	defaultSort: ['name'],
	alphabetical: ['name'],
	expressions: { breed: alphabeticalOrLast('breed') },
	indexed: ['name', 'breed', 'bornAt'],
} as const;

/** More than a list counts. */
const many = 10_500;
let testDatabase: TestDatabase;
let db: Database<{ ponies: Pony }>;

beforeAll(async () => {
	testDatabase = await createTestDatabase({
		name: 'ponies',
		prepare: async (url) => {
			const empty = createDatabase({ url, applicationName: 'test', logger: silentLogger() });
			await sql`create table ponies (
				id uuid primary key default gen_random_uuid(), name text not null, breed text, height int,
				born_at timestamptz not null
			)`.execute(empty);
			// Microseconds, equal names, umlauts, and columns without a value.
			await fillTestDatabase(
				url,
				`insert into ponies (name, breed, height, born_at)
				select (array['Öse', 'Ostwind', 'Zeus', 'ähre', 'Pony ' || n % 700])[1 + n % 5],
					case when n % 3 > 0 then (array['Ähre', 'Zottel'])[1 + n % 2] end,
					case when n % 7 > 0 then 90 + n % 50 end,
					timestamptz '2020-01-01Z' + n % 5000 * interval '1001 microseconds'
				from generate_series(1, ${many}) n`,
				'create index on ponies (name, born_at, id)',
			);
			await empty.destroy();
		},
	});
	db = createDatabase({ url: testDatabase.url, applicationName: 'test', logger: silentLogger() });
});

afterAll(async () => {
	await db.destroy();
	await testDatabase.drop();
});

interface Wanted extends Partial<PageRequest> {
	readonly db?: typeof db;
	readonly sort?: readonly SortCriterion<Field>[];
	readonly breed?: string;
	readonly called?: string;
	readonly bornBefore?: string;
	readonly ranked?: boolean;
	readonly sortedMax?: number;
	/** Only for the sort by birth. */
	readonly since?: Date;
	readonly isGrouped?: boolean;
	readonly isEither?: boolean;
	readonly isSearch?: boolean;
	/** Of the search for a breed or name: how the text of its rows is compared. */
	readonly searched?: 'all' | 'few' | 'few, without a hit';
	readonly owners?: 'Zottel' | 'none';
	/** What the names of a search begin with, of which an index has the ids. */
	readonly begins?: string;
}

const names = sql`select distinct name as id from ponies`;
/** Each record meets one; many meet two. */
const heights = [sql<boolean>`height > 100`, sql<boolean>`height < 120`, sql<boolean>`height is null`];

function page({
	db: database = db,
	sort,
	breed,
	called,
	bornBefore,
	ranked,
	isGrouped = false,
	isEither = false,
	isSearch = false,
	since,
	sortedMax,
	searched,
	owners,
	begins,
	...request
}: Wanted) {
	let others = database.selectFrom('ponies');
	if (bornBefore !== undefined) others = others.where('bornAt', '<', new Date(bornBefore));
	const isHit = sql<boolean>`id in (select hits.id from ponies hits where ${breed ?? called} in (hits.breed, hits.name))`;
	const all = (breed ?? called) === undefined ? others : others.where(isHit);
	return listPage(database, all, {
		request: { size: 50, offset: 0, scope: 'ponies', ...request },
		sort,
		order,
		rank: ranked ? sql<number>`case when name = 'Zeus' then 0 else 1 end` : undefined,
		best: [sql<boolean>`name = 'Pony 4'`],
		...(sortedMax === undefined ? {} : { sortedMax }),
		since,
		groups: isGrouped ? { ids: names, column: 'name', matching: all as never } : undefined,
		alternatives: isEither ? { conditions: heights, matching: all as never } : undefined,
		isSearch: isSearch || ranked === true,
		searched: searched && {
			matching: others,
			isHit: searched === 'few, without a hit' ? sql<boolean>`false` : isHit,
			mayBeFew: searched !== 'all',
		},
		owners: owners && sql`select 1 from ponies where breed = ${owners}`,
		beginnings: begins === undefined ? undefined : beginningsOf(begins),
		find: (ids) => db.selectFrom('ponies').selectAll().where('id', 'in', ids).execute(),
	});
}

function beginningsOf(text: string) {
	const condition = beginsWith('name', text);
	return {
		condition,
		ids: sql`select id from ponies where ${condition} order by ${alphabetical('name')}, id`,
	};
}

async function walk(wanted: Wanted, between: () => Promise<void> = async () => {}): Promise<Pony[]> {
	const items: Pony[] = [];
	let cursor: string | undefined;
	do {
		const read = await page({ ...wanted, size: 997, ...(cursor === undefined ? {} : { cursor }) });
		items.push(...read.items);
		cursor = read.pagination.nextCursor ?? undefined;
		await between();
	} while (cursor !== undefined);
	return items;
}

const by = (...names: string[]): SortCriterion<Field>[] =>
	names.map((name) => ({ field: name.replace('-', '') as Field, descending: name.startsWith('-') }));

test.each([
	['name', sql`name collate "und-x-icu", id`],
	['-bornAt', sql`born_at desc, id desc`],
	['bornAt', sql`born_at, id`],
	['height', sql`height, id`],
	['-height', sql`height desc, id desc`],
	[
		'breed,-name',
		sql`coalesce(breed, U&'\\FFFF') collate "und-x-icu", ${alphabetical('name')} desc, id desc`,
	],
	['-height,breed', sql`height desc, breed collate "und-x-icu" nulls last, id`],
	['breed,bornAt', sql`coalesce(breed, U&'\\FFFF') collate "und-x-icu", born_at, id`],
	['-bornAt,name', sql`born_at desc, ${alphabetical('name')}, id`],
	[
		'-breed,name,-bornAt',
		sql`coalesce(breed, U&'\\FFFF') collate "und-x-icu" desc, ${alphabetical('name')}, born_at desc, id desc`,
	],
	[
		'breed,height,name',
		sql`coalesce(breed, U&'\\FFFF') collate "und-x-icu", height, ${alphabetical('name')}, id`,
	],
])('cursors lead through all records, each once, sorted by %s', async (sort, expected) => {
	const since = new Date('2020-01-01T00:00:03Z');
	const lists = [
		{},
		{ breed: 'Zottel' },
		{ breed: 'Zottel', sortedMax: 1_000 },
		{ sortedMax: 100 },
		{ sortedMax: 100, isEither: true },
		{ breed: 'Zottel', sortedMax: 100, searched: 'all' } as const,
		{ isSearch: true },
		{ isEither: true },
		...(/bornAt/.test(sort) ? [{ isGrouped: true }] : []),
		...(sort === 'bornAt' ? [{ since }] : []),
	];
	for (const list of lists) {
		const { breed } = { breed: undefined, ...list };
		const items = await walk({ sort: by(...sort.split(',')), ...list });
		const { rows } = await sql<{ id: string }>`
			select id from ponies where ${breed === undefined ? sql`true` : sql`breed = ${breed}`}
			order by ${expected}`.execute(db);
		expect(items.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
		const { items: numbered } = await page({ sort: by(...sort.split(',')), ...list, offset: 737 });
		expect(numbered.map(({ id }) => id)).toEqual(rows.slice(737, 787).map(({ id }) => id));
	}
});

test('more records than are counted: the total says so, and only a cursor reaches the end', async () => {
	const { pagination } = await page({});
	expect(pagination).toMatchObject({
		totalElements: 10_000,
		totalIsExact: false,
		totalPages: 200,
		hasNext: true,
	});
	const last = await page({ size: 200, offset: 9_800 });
	expect([last.items.length, last.pagination.hasNext, last.pagination.page]).toEqual([200, true, 50]);
	await expect(page({ offset: 9_951 })).rejects.toMatchObject({ code: 'INVALID_QUERY_PARAMETER' });
	const after = await page({ cursor: last.pagination.nextCursor ?? '' });
	expect(after.pagination).toMatchObject({
		page: 201,
		totalElements: 10_000,
		totalIsExact: false,
		hasPrevious: true,
	});
	const exact = await page({ exactTotal: true });
	expect(exact.pagination).toMatchObject({ totalElements: many, totalIsExact: true, totalPages: 210 });
});

test('fewer records: the total is exact, and a page beyond the end is empty', async () => {
	const { pagination } = await page({ breed: 'Zottel', size: 10 });
	expect(pagination).toMatchObject({ totalElements: 3_500, totalIsExact: true, totalPages: 350 });
	const beyond = await page({ breed: 'Zottel', offset: 1_000_000 });
	expect([beyond.items, beyond.pagination.totalElements, beyond.pagination.hasNext]).toEqual([
		[],
		3_500,
		false,
	]);
	expect((await page({ breed: 'none' })).pagination).toMatchObject({
		totalElements: 0,
		totalPages: 0,
		hasNext: false,
	});
});

test('records that are added or removed meanwhile neither repeat nor hide others', async () => {
	const before = await db.selectFrom('ponies').select('id').where('breed', '=', 'Ähre').execute();
	const removed = await db
		.selectFrom('ponies')
		.select('id')
		.orderBy(alphabetical('name'))
		.limit(30)
		.execute();
	const gone = removed.map(({ id }) => id);
	const seen = await walk({ breed: 'Ähre' }, async () => {
		await sql`insert into ponies (name, breed, born_at) values ('Aaron', 'Ähre', now())`.execute(db);
		const id = gone.pop();
		if (id !== undefined) await db.deleteFrom('ponies').where('id', '=', id).execute();
	});
	const ids = seen.map(({ id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
	const left = await db.selectFrom('ponies').select('id').where('breed', '=', 'Ähre').execute();
	const known = new Set(before.map(({ id }) => id));
	expect(left.filter(({ id }) => known.has(id) && !ids.includes(id))).toEqual([]);
	await db.deleteFrom('ponies').where('name', '=', 'Aaron').execute();
});

test('a rank comes before the order, and the best hits are among those that are ranked', async () => {
	const { items, pagination } = await page({ ranked: true, size: 200 });
	expect(new Set(items.map(({ name }) => name))).toEqual(new Set(['Zeus']));
	expect(pagination).toMatchObject({ totalElements: 1_000, totalIsExact: false });
	const all = await db.selectFrom('ponies').select('id').execute();
	const exact = await page({ ranked: true, exactTotal: true });
	expect(exact.pagination).toMatchObject({ totalElements: all.length, totalIsExact: true });
	const few = await page({ ranked: true, bornBefore: '2020-01-01T00:00:00.3Z' });
	expect([few.items[0]?.name, few.pagination.totalIsExact]).toEqual(['Zeus', true]);
});

test('a search is read to the last of the hits that it ranks, and not beyond them', async () => {
	const items = await walk({ ranked: true });
	const names = items.map(({ name }) => name);
	expect(items.length).toBeGreaterThanOrEqual(1_000);
	expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
	expect(names.filter((name) => name === 'Pony 4')).toHaveLength(15);
	expect(names.lastIndexOf('Zeus')).toBeLessThan(names.indexOf('Öse'));
	await expect(page({ ranked: true, offset: 951 })).rejects.toMatchObject({
		code: 'INVALID_QUERY_PARAMETER',
	});
});

test('a search without a rank is counted as far as one with it, and in the whole order', async () => {
	const { items, pagination } = await page({ breed: 'Zottel', sort: by('-bornAt'), isSearch: true });
	expect(pagination).toMatchObject({ totalElements: 1_000, totalIsExact: false, hasNext: true });
	const counted = await page({ breed: 'Zottel', sort: by('-bornAt') });
	expect([counted.pagination.totalElements > 3_000, items]).toEqual([true, counted.items]);
	await expect(page({ breed: 'Zottel', isSearch: true, offset: 951 })).rejects.toMatchObject({
		code: 'INVALID_QUERY_PARAMETER',
	});
});

test('a text is compared with few records in their order, and with many along the index of the order', async () => {
	const bornBefore = '2020-01-01T00:00:04Z';
	for (const sort of ['-bornAt', 'name,-height']) {
		const search = { breed: 'Zottel', sort: by(...sort.split(',')), isSearch: true };
		for (const list of [{ ...search, bornBefore }, search]) {
			const [expected, found] = [await walk(list), await walk({ ...list, searched: 'few' })];
			expect([expected.length > 1_000, found]).toEqual([true, expected]);
		}
	}
	const probe = {
		breed: 'Zottel',
		sort: by('-bornAt'),
		isSearch: true,
		searched: 'few, without a hit',
	} as const;
	const [among, along] = [await page({ ...probe, bornBefore }), await page(probe)];
	expect([among.items.length, along.items.length]).toEqual([0, 50]);
});

test('hits far from where a page begins are sorted, those near it are read along the index of the order', async () => {
	const others = Array.from({ length: 2_000 }, () => ['!', 'Zzz']).flat();
	const added = others.map((name) => ({ name, bornAt: new Date('2019-01-01Z'), breed: null, height: null }));
	await db
		.insertInto('ponies')
		.values(added as never)
		.execute();
	for (const [sort, called] of [
		['name', 'Zeus'],
		['-name', 'ähre'],
		['-bornAt', 'Zeus'],
	] as const) {
		const search = { called, sort: by(sort), isSearch: true };
		const [expected, found] = [await walk(search), await walk({ ...search, searched: 'all' })];
		expect([expected.length > 1_000, found]).toEqual([true, expected]);
		const numbered = { ...search, offset: 800 };
		expect(await page({ ...numbered, searched: 'all' })).toEqual(await page(numbered));
	}
	await db.deleteFrom('ponies').where('name', 'in', ['!', 'Zzz']).execute();
});

test('rows of more owners than are counted are not counted, others are', async () => {
	const search = { breed: 'Zottel', sort: by('-bornAt'), isSearch: true };
	const counted = await page(search);
	expect(await page({ ...search, owners: 'Zottel' })).toEqual(counted);
	expect(await page({ ...search, owners: 'none' })).toEqual(counted);
	const few = { ...search, bornBefore: '2020-01-01T00:00:00.3Z' };
	const exact = await page(few);
	expect([exact.pagination.totalIsExact, await page({ ...few, owners: 'none' })]).toEqual([true, exact]);
	const { pagination } = await page({ ...few, owners: 'Zottel' });
	expect(pagination).toMatchObject({ totalElements: 1_000, totalIsExact: false });
});

test('of more beginnings than are counted, the first ones are the page by rank, and no others are counted', async () => {
	const { rows } = await sql<{ id: string }>`select id from ponies where name = 'ähre' order by id`.execute(
		db,
	);
	const ids = rows.map(({ id }) => id);
	const inexact = { totalElements: 1_000, totalIsExact: false };
	for (const begins of ['Ähr', 'ahre']) {
		const ranked = { ranked: true, begins } as const;
		const { items, pagination } = await page(ranked);
		expect([items.map(({ id }) => id), pagination]).toEqual([
			ids.slice(0, 50),
			expect.objectContaining(inexact),
		]);
		const numbered = await page({ ...ranked, offset: 900 });
		expect(numbered.items.map(({ id }) => id)).toEqual(ids.slice(900, 950));
		const next = await page({ ...ranked, cursor: numbered.pagination.nextCursor ?? '' });
		expect(next.items.map(({ id }) => id)).toEqual(ids.slice(950, 1_000));
	}
	const few = { bornBefore: '2020-01-01T00:00:00.3Z' };
	const search = { ...few, breed: 'Zottel', sort: by('-bornAt'), isSearch: true };
	const [counted, uncounted] = [await page(search), await page({ ...search, begins: 'ähre' })];
	expect([counted.pagination.totalIsExact, uncounted.items]).toEqual([true, counted.items]);
	expect(uncounted.pagination).toMatchObject(inexact);
});

test('of fewer beginnings than are counted, all hits are', async () => {
	for (const search of [{ ranked: true }, { breed: 'Zottel', sort: by('-bornAt'), isSearch: true }]) {
		const expected = await page({ ...search, bornBefore: '2020-01-01T00:00:00.3Z' });
		expect(expected.pagination.totalIsExact).toBe(true);
		const found = await page({ ...search, bornBefore: '2020-01-01T00:00:00.3Z', begins: 'Pony 4' });
		expect(found).toEqual(expected);
	}
});

test('of fewer records than are counted, a page beyond those that are sorted has the exact total, and numbers lead to it', async () => {
	const sorted = await page({ breed: 'Zottel', offset: 3_000 });
	const read = await page({ breed: 'Zottel', offset: 3_000, sortedMax: 1_000 });
	expect([sorted.items.length, sorted.pagination.totalIsExact]).toEqual([50, true]);
	expect([read.items, read.pagination.totalElements]).toEqual([
		sorted.items,
		sorted.pagination.totalElements,
	]);
});

test('records of which most are at the end of an order are those that changed recently, sorted by creation', () => {
	const since = { updatedSince: '2026-01-01T00:00:00Z' };
	const longAgo = { updatedSince: '1970-01-01T00:00:00Z' };
	const at = (sort: string | undefined, query: object) =>
		recentSince(
			{ ...(sort === undefined ? {} : { sort: by(sort) }), ...query },
			Date.parse('2026-01-20T00:00:00Z'),
		);
	expect(at('createdAt', since)).toEqual(new Date(since.updatedSince));
	for (const [sort, query] of [
		['createdAt', longAgo],
		['createdAt', {}],
		['-createdAt', since],
		['updatedAt', since],
		['name', since],
		[undefined, since],
	] as const)
		expect([sort, query, at(sort, query)]).toEqual([sort, query, undefined]);
});

test('a cursor that is none of this list is refused', async () => {
	const own = (await page({ sort: by('bornAt') })).pagination.nextCursor ?? '';
	const { values, ...position } = positionOf(own, 'ponies', 2);
	const forged = [
		'x',
		'',
		Buffer.from('{}').toString('base64url'),
		Buffer.from('[1,"ponies"]').toString('base64url'),
		cursorOf('horses', { ...position, values }),
		cursorOf('ponies', { ...position, values: ['soon', values[1] ?? null] }),
		cursorOf('ponies', { ...position, values: [values[0] ?? null, "'; drop table ponies"] }),
		cursorOf('ponies', { ...position, values: ['\0', values[1] ?? null] }),
		cursorOf('ponies', { ...position, values: [...values, values[0] ?? null] }),
		cursorOf('ponies', { ...position, before: -1, values }),
		'A'.repeat(4_001),
	];
	for (const cursor of forged) {
		const refused: Partial<ApiError> = { code: 'INVALID_QUERY_PARAMETER' };
		await expect(page({ sort: by('bornAt'), cursor })).rejects.toMatchObject(refused);
	}
});

test('many tied records, of which few are near the beginning in the order of the next field', async () => {
	const year = `case when n <= 500 then 2023 when n <= 10100 then 2018 else 2022 end`;
	await fillTestDatabase(
		testDatabase.url,
		`insert into ponies (name, breed, height, born_at)
		select 'Tied ' || n % 3, case when n <= 10100 then 'Aal' else 'Zz' end, n % 50,
			make_timestamptz(${year}, 1, 1, 0, 0, 0, 'UTC') + n / 2 * interval '1 second'
		from generate_series(1, 15300) n`,
	);
	for (const [sort, expected] of [
		['breed,-bornAt', sql`born_at desc, id desc`],
		['breed,-bornAt,name', sql`born_at desc, ${alphabetical('name')}, id`],
	] as const) {
		const items = await walk({ sort: by(...sort.split(',')) });
		const { rows } = await sql<{ id: string }>`select id from ponies
			order by coalesce(breed, U&'\\FFFF') collate "und-x-icu", ${expected}`.execute(db);
		expect(items.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
	}
	await sql`delete from ponies where name like 'Tied %'`.execute(db);
});

test('tied records, of which an index has all sort fields, are each once on pages by cursor', async () => {
	const covering = `create index ponies_covering on ponies ((coalesce(breed, U&'\\FFFF') collate "und-x-icu"), id)
		include (breed, name, born_at)`;
	await fillTestDatabase(testDatabase.url, covering, 'vacuum analyze ponies');
	const breed = sql`coalesce(breed, U&'\\FFFF') collate "und-x-icu"`;
	const { rows: plan } = await sql<{ 'QUERY PLAN': string }>`
		explain select id, ${alphabetical('name')}, born_at from ponies where ${breed} = 'Zottel'`.execute(db);
	expect(plan[0]?.['QUERY PLAN']).toContain('Index Only Scan');
	for (const [sort, expected] of [
		['breed,-name', sql`${breed}, ${alphabetical('name')} desc, id desc`],
		['-breed,bornAt', sql`${breed} desc, born_at, id`],
		['breed,-name,bornAt', sql`${breed}, ${alphabetical('name')} desc, born_at, id`],
	] as const) {
		const { rows } = await sql<{ id: string }>`select id from ponies order by ${expected}`.execute(db);
		const ids = rows.map(({ id }) => id);
		const items = await walk({ sort: by(...sort.split(',')) });
		expect(items.map(({ id }) => id)).toEqual(ids);
		const { items: numbered } = await page({ sort: by(...sort.split(',')), offset: 4_737 });
		expect(numbered.map(({ id }) => id)).toEqual(ids.slice(4_737, 4_787));
	}
	await sql`drop index ponies_covering`.execute(db);
});

test('of very many hits, an order that begins far from the first ones is refused, but not on the way', async () => {
	const fill = (...statements: string[]) => fillTestDatabase(testDatabase.url, ...statements);
	const added = (name: string, count: number) => `insert into ponies (name, height, born_at)
		select '${name}', 7, timestamptz '2020-01-01Z' + n * interval '1 s' from generate_series(1, ${count}) n`;
	await fill(added('!', 10_050), added('Zzz', 10_050));
	const search = { called: 'Zulu', searched: 'all', isSearch: true } as const;
	const refused = { code: 'INVALID_QUERY_PARAMETER', errors: [{ field: 'sort' }] };
	for (const count of [100_000, 40_000]) {
		await fill(added('Zulu', count), 'analyze ponies');
		for (const sort of ['name', '-name', 'name,-height']) {
			const wanted = page({ ...search, sort: by(...sort.split(',')) });
			if (count === 100_000) expect((await wanted).items.map(({ name }) => name)).toContain('Zulu');
			else await expect(wanted).rejects.toMatchObject(refused);
		}
		expect((await page(search)).items.map(({ name }) => name)).toContain('Zulu');
		expect((await page({ ...search, sort: by('-bornAt') })).items).toHaveLength(50);
	}
	const first = {
		values: ['!', '00000000-0000-0000-0000-000000000000'],
		before: 1,
		total: 1_000,
		isExact: false,
	};
	const { items } = await page({ ...search, sort: by('name'), cursor: cursorOf('ponies', first) });
	expect(new Set(items.map(({ name }) => name))).toEqual(new Set(['Zulu']));
	await fill('delete from ponies where height = 7', 'vacuum ponies');
});

test.each([
	['do', true],
	['  Ost ', true],
	...['Öst', 'strauß', 'Mueller', '李小', 'a', '', 'do n', "d'o", '17', 'do%', 'ann-a'].map(
		(typed) => [typed, false] as const,
	),
])('whether %j is the beginning of a word', (typed, expected) => {
	expect(isBeginning(typed)).toBe(expected);
});

test('a table is small without statistics, and with those of at most as many rows as a page is sorted from', async () => {
	for (const [rows, isExpected] of [
		[9_000, true],
		[11_000, false],
	] as const) {
		await sql`create table filled as select n from generate_series(1, ${sql.lit(rows)}) n`.execute(db);
		expect(await isSmall('filled', db)).toBe(true);
		await sql`analyze filled`.execute(db);
		expect([rows, await isSmall('filled', db)]).toEqual([rows, isExpected]);
		await sql`drop table filled`.execute(db);
	}
});

test('a page that is read in a transaction is planned for its values', async () => {
	const options = { url: testDatabase.url, applicationName: 'test', logger: silentLogger(), poolMax: 1 };
	const one = createDatabase<{ ponies: Pony }>(options);
	const { items } = await page({ db: one, sort: by('breed', '-bornAt') });
	const { rows } = await sql`select name from pg_prepared_statements`.execute(one);
	expect([items.length, rows]).toEqual([50, []]);
	await one.destroy();
});

test('a condition is frequent if several in a hundred of the first records meet it, and is compared without an index', async () => {
	const ponies = db.selectFrom('ponies');
	const isMet = ["name = 'Zeus'", "name = 'Pony 4'", 'height = null'].map(
		(text) => sql<boolean>`${sql.raw(text)}`,
	);
	const shares = await Promise.all(isMet.map((condition) => shareOf(ponies, condition, db)));
	expect(shares.map((share) => share >= frequentShare)).toEqual([true, false, false]);
	expect(await shareOf(ponies.where('name', '=', 'none'), sql<boolean>`true`, db)).toBe(0);
	for (const condition of isMet) {
		const [hits, found] = await Promise.all(
			[compared(condition), condition].map((each) => ponies.where(each).select('id').orderBy('id').execute()),
		);
		expect(hits).toEqual(found);
	}
	const plans = await Promise.all(
		[compared, (condition: RawBuilder<boolean>) => condition].map((form) =>
			sql`explain select id from ponies where ${form(sql`name = 'Pony 4'`)}`.execute(db),
		),
	);
	expect(plans.map(({ rows }) => JSON.stringify(rows).includes('Index Cond'))).toEqual([false, true]);
});

// The last one: other rows, and another order of them in the table, than the tests before have.
test.each([
	['is deleted', 1, -1, sql`delete from ponies where id = `],
	['moves behind all others', 1, -1, sql`update ponies set breed = 'Zz' where id = `],
	[
		'joins those at the end',
		30,
		0,
		sql`update ponies set breed = 'B0001', born_at = '2030-01-01Z' where id = `,
	],
] as const)('a page is of one moment, even if a row %s meanwhile', async (_name, tied, which, change) => {
	await sql`update ponies set breed = 'B' || lpad((n / ${sql.lit(tied)})::text, 4, '0')
		from (select id, row_number() over (order by id) - 1 as n from ponies) as numbered where numbered.id = ponies.id`.execute(
		db,
	);
	let changed: string | undefined;
	const changing = db.withPlugin({
		transformQuery: ({ node }) => node,
		transformResult: async ({ result }) => {
			const ids = result.rows.flatMap((row) =>
				'k0' in row && !('counted' in row) ? [String(row['id'])] : [],
			);
			if (changed === undefined && ids.length > 1) {
				changed = ids.at(which);
				await sql`${change} ${changed}`.execute(db);
			}
			return result;
		},
	});
	const { items, pagination } = await page({ db: changing, sort: by('breed', '-bornAt'), size: 50 });
	expect(changed).toBeDefined();
	// The page is complete, apart from a row that is read only at the end.
	expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
	expect([items.length >= 49, pagination.hasNext]).toEqual([true, true]);
});
