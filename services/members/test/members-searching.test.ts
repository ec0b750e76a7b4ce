import { beforeAll, describe, expect, test } from '@jest/globals';
import { type EnrolledPeople, enrolPeople } from './enrolled-people.ts';
import { useMembers } from './running-members.ts';
import { membersPath as path, recordsOf } from './test-records.ts';

const members = useMembers();
let people: EnrolledPeople;
const records = recordsOf(() => members);

beforeAll(async () => {
	people = await enrolPeople(members);
});

describe('GET /members/search', () => {
	test.each([
		['müller', ['Anna', 'Bernd', 'Çelik', 'Franz']],
		['MUELLER', ['Anna', 'Bernd', 'Çelik', 'Franz']],
		['muller', ['Anna', 'Bernd', 'Çelik', 'Franz']],
		['strasser', ['Gerda']],
		['straß', ['Gerda']],
		['celik', ['Çelik']],
		['mueller anna', ['Anna']],
		['anna   muell', ['Anna']],
		['uller na', []],
		['anna bernd', []],
		['anna@mueller', ['Anna']],
		['ANNA@mueller.example.org', ['Anna']],
		['van de velde', ['Hans']],
		['velde de', ['Hans']],
		['mü', ['Anna', 'Bernd', 'Çelik', 'Franz']],
		['öl', ['Dora', 'Emil']],
		['ll', []],
		['%%%', []],
		// A mark without a letter folds to an empty text, which every name contains.
		['\u0301\u0302', []],
		['anna \u0301', ['Anna']],
		['a_na', []],
		['\\\\', []],
		['004711', ['Dora']],
		['10047110', ['Dora']],
		['4711', ['Dora']],
		['004-711', ['Dora']],
		['1004 7110', ['Dora']],
		['Müller, Anna', ['Anna']],
		['Velde;van', ['Hans']],
		['vandevelde', ['Hans']],
		['x', []],
	])('%s', async (q, expected) => {
		const names = await people.firstNames(`/search?q=${encodeURIComponent(q)}`);
		expect(names.split(' ').filter(Boolean).sort()).toEqual([...expected].sort());
	});

	test('sorts complete numbers first, then beginnings, then others, each by name', async () => {
		const anna = (await people.page('/search?q=anna%20mu')).items[0];
		const number = anna?.membershipNumber ?? '';
		await records.createMember({ firstName: 'Anton', lastName: 'Aal', email: `x${number}@example.org` });
		await records.createMember({ firstName: 'Berta', lastName: 'Aal', email: `${number}@example.org` });
		expect(await people.firstNames(`/search?q=${number}`)).toBe('Anna Berta Anton');
		expect(await people.firstNames('/search?q=m%C3%BCller')).toBe('Bernd Anna Çelik Franz');
		const exact = await people.firstNames('/search?q=anna@mueller.example.org');
		expect(exact).toBe('Anna');
	});

	// Duplicates were detected by another folding than search used; a name of one letter could not be searched.
	test('finds whatever can be stored, in every spelling that the detection of duplicates knows', async () => {
		for (const [lastName, typed] of [
			['L´Étoile', "l'etoile"],
			["O'Dwyer", 'ODWYER'],
			['Ångström-Łuk', 'Angstrom Luk'],
			['Ñ', 'ñ'],
			['?', '?'],
			['9', '9'],
		] as const) {
			const { id } = await records.createMember({ firstName: 'Zoë', lastName });
			const found = await people.page(`/search?q=${encodeURIComponent(typed)}`);
			expect([lastName, found.items.map((item) => item.id)]).toEqual([lastName, [id]]);
		}
	});

	test('pages without losing or repeating anybody', async () => {
		const whole = (await people.page('/search?q=m%C3%BCller')).items.map(({ id }) => id);
		const parts = [1, 2, 3, 4].map((number) => people.page(`/search?q=m%C3%BCller&size=1&page=${number}`));
		const pages = await Promise.all(parts);
		expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(whole);
		expect(pages[0]?.pagination).toMatchObject({ totalElements: 4, totalPages: 4, hasNext: true });
	});

	test('filters', async () => {
		expect(await people.firstNames('/search?q=gerda&status=ACTIVE')).toBe('');
		expect(await people.firstNames('/search?q=gerda&status=SUSPENDED')).toBe('Gerda');
		expect(await people.firstNames('/search?q=ller&membershipType=YOUTH')).toBe('Emil');
		expect((await people.firstNames(`/search?q=ller&clubId=${people.other.id}`)).split(' ').sort()).toEqual([
			'Dora',
			'Çelik',
		]);
	});

	// Those that are sorted by a field are counted in another table than they are read from.
	test('counts the same members whatever they are sorted by', async () => {
		const searches = [
			'q=m%C3%BCller',
			'q=ller&membershipType=YOUTH',
			'q=gerda&status=SUSPENDED',
			'q=ller&status=ACTIVE',
		];
		const lists = [
			...searches,
			`q=ller&clubId=${people.other.id}`,
			'q=ller&stateCode=AT-3',
			'q=ller&updatedSince=2026-01-01T00:00:00Z',
		];
		const paths = [...searches.map((search) => `/search?${search}`), ...lists.map((list) => `?${list}`)];
		for (const one of paths) {
			const { items, pagination } = await people.page(one);
			const sorted = await people.page(`${one}&sort=joinDate`);
			expect([one, sorted.pagination.totalElements, sorted.items.map(({ id }) => id).sort()]).toEqual([
				one,
				pagination.totalElements,
				items.map(({ id }) => id).sort(),
			]);
		}
	});

	test('finds a changed name under the new one only', async () => {
		const member = await records.createMember({ firstName: 'Alt', lastName: 'Vorher' });
		const body = { firstName: 'Neu', lastName: 'Nachher', dateOfBirth: member.dateOfBirth };
		await members.call('PUT', `${path}/${member.id}`, { token: members.officer, body });
		expect([
			await people.firstNames('/search?q=vorher'),
			await people.firstNames('/search?q=nachher'),
		]).toEqual(['', 'Neu']);
	});
});
