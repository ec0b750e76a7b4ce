import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import { sql } from 'kysely';
import type { Horse } from '../src/horses/schemas.ts';
import { useHorses } from './running-horses.ts';

const horses = useHorses();

beforeAll(async () => {
	const sire = await horses.register({
		name: 'Weltmeyer',
		sex: 'STALLION',
		birthYear: 2000,
		ueln: '276 000000000123',
	});
	await horses.register({ name: 'Donnerhall', birthYear: 2012, sireId: sire.id, headNumber: 'DON1' });
	await horses.register({ name: 'Donnerhall', birthYear: 2014, sireName: 'Ein anderer' });
	await horses.register({ name: 'Großer Donner', headNumber: 'Ö123', passportNumber: 'PB 55/1' });
	await horses.register({
		name: 'Müllers Straßenkönig',
		federationHorseNumber: '0001234567',
		feiId: '104AB12',
	});
	await horses.register({ name: '100 % Ja_Nein', microchip: '999000000007777' });
	await horses.register({ name: 'Óðinn frá Þingvöllum' });
	await horses.register({ name: 'L´Étoile', microchip: '888222222222222' });
	await horses.register({ name: 'X', microchip: '888222222222223' });
	await horses.register({ name: '7777', microchip: '999111111111111' });
	const removed = await horses.register({ name: 'Donnerwetter', headNumber: 'WEG1' });
	await horses.call('DELETE', `/api/horses/${removed.id}`, { token: horses.officer });
});

async function search(query: string, token = horses.stranger): Promise<string[]> {
	const { data } = await horses.call<Page<Horse>>('GET', `/api/horses/search?${query}`, { token });
	return data.items.map(({ name, birthYear }) => (name === 'Donnerhall' ? `${name} ${birthYear}` : name));
}

const q = (text: string) => `q=${encodeURIComponent(text)}`;

describe('GET /api/horses/search', () => {
	test.each([
		['name=donner', ['Donnerhall 2012', 'Donnerhall 2014', 'Großer Donner']],
		['name=DONNER%20gross', ['Großer Donner']],
		[q('mueller'), ['Müllers Straßenkönig']],
		[q('muller'), ['Müllers Straßenkönig']],
		[q('STRASSENKONIG'), ['Müllers Straßenkönig']],
		[q('könig müllers'), ['Müllers Straßenkönig']],
		[q('do'), ['Donnerhall 2012', 'Donnerhall 2014', 'Großer Donner']],
		[q('odinn thingvoellum'), ['Óðinn frá Þingvöllum']],
		[q('ÓÐINN'), ['Óðinn frá Þingvöllum']],
		[q('276.000-000000123'), ['Weltmeyer']],
		[q('276 000000000123'), ['Weltmeyer']],
		[q('00000123'), ['Weltmeyer']],
		[q('ö123'), ['Großer Donner']],
		[q('oe123'), ['Großer Donner']],
		[q('104ab12'), ['Müllers Straßenkönig']],
		[q('0001234567'), ['Müllers Straßenkönig']],
		[q('PB55/1'), ['Großer Donner']],
		[q('DON1'), ['Donnerhall 2012']],
		[q('don1 donnerhall'), ['Donnerhall 2012']],
		// A name that begins with the text ranks before a number that contains it.
		[q('7777'), ['7777', '100 % Ja_Nein']],
		[q('999000000007777'), ['100 % Ja_Nein']],
		[q('100 %'), ['100 % Ja_Nein']],
		[q('ja_n'), ['100 % Ja_Nein']],
		[q('%%'), []],
		[q('PB 55-1'), ['Großer Donner']],
		[q('104-ab/12'), ['Müllers Straßenkönig']],
		[q("l'etoile"), ['L´Étoile']],
		['name=letoile', ['L´Étoile']],
		[q('etoile, l'), ['L´Étoile']],
		[q('X'), ['X']],
		['name=x', ['X']],
		[q('1'), []],
		[q('--'), []],
		[q('nirgends'), []],
		['name=donner&q=don1', ['Donnerhall 2012']],
		['name=0001234567', []],
		[`${q('do')}&size=1&page=2`, ['Donnerhall 2014']],
	])('%s finds %j', async (query, expected) => {
		expect(await search(query)).toEqual(expected);
	});

	test('distinguishes namesakes by sire and year', async () => {
		const { data } = await horses.call<Page<Horse>>('GET', '/api/horses/search?name=donnerhall', {
			token: horses.stranger,
		});
		expect(data.items.map(({ sireName, birthYear }) => [sireName, birthYear])).toEqual([
			['Weltmeyer', 2012],
			['Ein anderer', 2014],
		]);
	});

	// Their ids are random, so horses of the same name need an order.
	test('horses of the same name are sorted by age, the oldest first', async () => {
		for (const birthYear of [2011, 2009, 2013, 2008, 2012, 2010])
			await horses.register({ name: 'Zwilling', birthYear });
		const { data } = await horses.call<Page<Horse>>('GET', '/api/horses/search?name=zwilling', {
			token: horses.stranger,
		});
		expect(data.items.map(({ birthYear }) => birthYear)).toEqual([2008, 2009, 2010, 2011, 2012, 2013]);
	});

	test('a complete number ranks before an equal name', async () => {
		await horses.register({ name: 'KOPF', birthYear: 2010 });
		await horses.register({ name: 'Aaa', headNumber: 'KOPF' });
		expect(await search(q('kopf'))).toEqual(['Aaa', 'KOPF']);
	});

	test('finds removed horses for the office only', async () => {
		expect(await search(q('weg1'))).toEqual([]);
		expect(await search(q('weg1'), horses.officer)).toEqual(['Donnerwetter']);
	});

	test.each([
		['', 'q REQUIRED'],
		['q=', 'q INVALID_LENGTH'],
		['name=%20%20', 'name INVALID_LENGTH'],
		[`q=${'x'.repeat(101)}`, 'q INVALID_LENGTH'],
		['q=ab&owner=x', 'owner UNKNOWN_FIELD'],
	])('refuses ?%s', async (query, expected) => {
		const { status, data } = await horses.call('GET', `/api/horses/search?${query}`, {
			token: horses.stranger,
		});
		expect(status).toBe(400);
		expect(data.errors?.map(({ field, code }) => `${field} ${code}`)).toEqual([expected]);
	});

	test('uses the index of the searched number', async () => {
		// In batches, each within the time limit of a statement on a busy machine.
		for (let from = 1; from <= 8_000; from += 1_000)
			await sql`
				insert into horses (name, sex, birth_year, is_pony, microchip, registered_on, status, name_text,
					number_text, created_at, updated_at)
				select 'Masse ' || n, 'MARE', 2010, false, (888000000000000 + n)::text, '2020-01-01', 'ACTIVE',
					E'\\nmasse ' || n, E'\\n' || (888000000000000 + n), now(), now()
				from generate_series(${from}::integer, ${from + 999}::integer) as n`.execute(horses.db);
		await sql`analyze horses`.execute(horses.db);
		const { rows } = await sql<{ 'QUERY PLAN': string }>`
			explain select * from horses
			where name_text like any (${['%onner%', '%oenner%']}) or number_text like any (${['%onner%']})`.execute(
			horses.db,
		);
		const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
		expect(plan).toContain('horses_name_text_index');
		expect(plan).toContain('horses_number_text_index');
	});

	test('of very many names that begin with the text, the first ones follow a complete number, with any filter', async () => {
		await horses.register({ name: 'Zuletzt', headNumber: 'MASS' });
		await horses.register({ name: 'Alte Masse' });
		await sql`update horses set sex = 'GELDING' where name like 'Masse 79%'`.execute(horses.db);
		const list = async (query: string) => {
			const { data } = await horses.call<Page<Horse>>('GET', `/api/horses?q=mas&${query}`, {
				token: horses.officer,
			});
			return { names: data.items.map(({ name }) => name), pagination: data.pagination };
		};
		const named = async (condition: ReturnType<typeof sql<boolean>>) => {
			const { rows } = await sql<{ name: string }>`select name from horses
				where name ilike 'mas%' and ${condition} order by name collate "und-x-icu", id limit 50`.execute(
				horses.db,
			);
			return rows.map(({ name }) => name);
		};
		const many = { totalElements: 1_000, totalIsExact: false };
		const all = await list('page=1');
		expect([all.names, all.pagination]).toEqual([await named(sql`true`), expect.objectContaining(many)]);
		expect((await search(q('mass'))).slice(0, 2)).toEqual(['Zuletzt', 'Masse 1']);
		const mares = await list('sex=MARE&bornFrom=2010-01-01');
		expect([mares.names, mares.pagination]).toEqual([
			await named(sql`sex = 'MARE'`),
			expect.objectContaining(many),
		]);
		await sql`update horses set breed = 'Noriker', breed_key = 'noriker' where name like 'Masse 3%' or name like 'Masse 5%'`.execute(
			horses.db,
		);
		const ofBreed = await list('breed=noriker&sex=MARE');
		expect([ofBreed.names, ofBreed.pagination]).toEqual([
			await named(sql`breed = 'Noriker'`),
			expect.objectContaining(many),
		]);
		const few = await list('sex=GELDING&bornTo=2010');
		expect(few.pagination).toMatchObject({ totalElements: 111, totalIsExact: true });
		const sorted = await list('sort=name');
		expect([sorted.names[0], sorted.pagination]).toEqual(['Alte Masse', expect.objectContaining(many)]);
	});

	test('of very many horses with one name, pages by cursor have each once, the oldest first', async () => {
		await horses.register({ name: '„Masta“' });
		await sql`update horses set name = 'Masta', name_text = E'\\nmasta\\n', birth_year = 1990 + abs(hashtext(id::text)) % 30
			where name like 'Masse 78%'`.execute(horses.db);
		const { rows: expected } = await sql<{ id: string; name: string }>`select id, name from horses
			where name ilike 'mas%' or name = '„Masta“' order by name collate "und-x-icu", birth_year, id`.execute(
			horses.db,
		);
		const found: string[] = [];
		let cursor: string | null = null;
		do {
			const after: string = cursor === null ? '' : `&cursor=${cursor}`;
			const { data } = await horses.call<Page<Horse>>('GET', `/api/horses/search?q=mas&size=200${after}`, {
				token: horses.officer,
			});
			found.push(...data.items.map(({ id }) => id));
			cursor = data.pagination.nextCursor;
		} while (cursor !== null && found.length < 1_200);
		const first = expected.slice(0, found.length);
		expect(first[0]?.name).toBe('„Masta“');
		expect(found.length).toBeGreaterThanOrEqual(1_200);
		expect(found).toEqual(first.map(({ id }) => id));
	});

	test('of very many names that begin with a typed umlaut, those with its two letters come first', async () => {
		await horses.register({ name: 'Maeusler' });
		for (const digit of '123456789')
			await sql`update horses set name = 'Mäusle ' || id, name_text = E'\\nmaeusle\\nmausle\\n'
				where name like ${`Masse ${digit}%`}`.execute(horses.db);
		expect((await search(q('mäu')))[0]).toBe('Maeusler');
	});
});

describe('GET /api/horses/by-number/{number}', () => {
	const byNumber = (number: string, token = horses.stranger) =>
		horses.call<Horse>('GET', `/api/horses/by-number/${encodeURIComponent(number)}`, { token });

	test.each([
		['276000000000123', 'Weltmeyer'],
		['276 0000 0000 0123', 'Weltmeyer'],
		['999000000007777', '100 % Ja_Nein'],
		['0001234567', 'Müllers Straßenkönig'],
		['104ab12', 'Müllers Straßenkönig'],
		['ö123', 'Großer Donner'],
		['PB-55/1', 'Großer Donner'],
	])('%s is %s', async (number, name) => {
		const { status, data } = await byNumber(number);
		expect([status, data.name]).toEqual([200, name]);
	});

	test('404 for unknown and partial numbers, and for removed horses except for the office', async () => {
		for (const number of ['276000000000124', '7777', 'WEG1'])
			expect([number, (await byNumber(number)).status]).toEqual([number, 404]);
		expect((await byNumber('WEG1', horses.officer)).data.name).toBe('Donnerwetter');
		expect((await byNumber('1.2')).status).toBe(400);
	});

	test('prefers the more specific kind of number, and reports a passport number of several horses', async () => {
		await horses.register({ name: 'Nach Chip', microchip: '276000000009999' });
		await horses.register({ name: 'Nach UELN', ueln: '276000000009999' });
		expect((await byNumber('276000000009999')).data.name).toBe('Nach UELN');
		const twins = [
			await horses.register({ passportNumber: 'P-1000' }),
			await horses.register({ passportNumber: 'p1000' }),
		];
		const several = await horses.call('GET', '/api/horses/by-number/P1000', { token: horses.stranger });
		expect([several.status, several.data.code]).toEqual([409, 'NUMBER_AMBIGUOUS']);
		expect([...(several.data['horseIds'] as string[])].sort()).toEqual(twins.map(({ id }) => id).sort());
	});

	test('finds the horse with the head number however many have it as their passport’s', async () => {
		for (let count = 0; count < 10; count++) await horses.register({ passportNumber: '55.21' });
		await horses.register({ name: 'Mit Kopfnummer', headNumber: '5521' });
		expect((await byNumber('5521')).data.name).toBe('Mit Kopfnummer');
	});
});
