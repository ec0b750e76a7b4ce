import type { RequestCase } from './measure-requests.ts';
import type { SeededHorses } from './seed-horses.ts';
import type { SeededMembers } from './seed-members.ts';

const deepPage = 1_000;

/** An entry of the list; consecutive indexes give different entries. */
function each(list: readonly string[], index: number): string {
	return list[(index * 7_919) % list.length] ?? '';
}

function searchFor(title: string, words: readonly string[]): RequestCase {
	return {
		title: `search: ${title}`,
		path: (index) => `/api/members/search?q=${encodeURIComponent(each(words, index))}`,
	};
}

export function memberCases({ ids, membershipNumbers }: SeededMembers): readonly RequestCase[] {
	return [
		{ title: 'list, page 1', path: () => '/api/members' },
		{ title: 'list, page 1,000', path: () => `/api/members?page=${deepPage}` },
		{ title: 'list, filtered by state', path: (index) => `/api/members?stateCode=AT-${1 + (index % 9)}` },
		searchFor('common prefix', ['Anna', 'Maria', 'Michael', 'Ober', 'Groß']),
		searchFor('surname and first name', ['huber anna', 'maria oberhuber', 'müller jörg', 'öd zügl']),
		searchFor('infix', ['gruber', 'mueller', 'stöckl', 'reiter']),
		searchFor('three letters', ['ann', 'ber', 'mar', 'hof', 'see']),
		searchFor('two letters', ['an', 'ma', 'mü', 'be', 'ob']),
		searchFor('membership number', membershipNumbers),
		searchFor('no match', ['xyzzy', 'quuxhuber', '99999999']),
		{ title: 'get', path: (index) => `/api/members/${each(ids, index)}` },
		{ title: 'statistics', path: () => '/api/members/stats' },
	];
}

export function horseCases({ youngestIds, microchips }: SeededHorses): readonly RequestCase[] {
	const byName = (names: readonly string[]) => (index: number) =>
		`/api/horses/search?name=${encodeURIComponent(each(names, index))}`;
	return [
		{ title: 'list, page 1', path: () => '/api/horses' },
		{ title: 'list, page 900', path: () => '/api/horses?page=900' },
		{ title: 'search: common prefix', path: byName(['Donner', 'Sturm', 'Früh']) },
		{ title: 'search: infix', path: byName(['vogel', 'bluete', 'gruen']) },
		{ title: 'search: two letters', path: byName(['do', 'mo', 'fe']) },
		{ title: 'search: microchip', path: (index) => `/api/horses/search?q=${each(microchips, index)}` },
		{ title: 'by number', path: (index) => `/api/horses/by-number/${each(microchips, index)}` },
		{ title: 'get', path: (index) => `/api/horses/${each(youngestIds, index)}` },
		{
			title: 'pedigree of 6 generations',
			path: (index) => `/api/horses/${each(youngestIds, index)}/pedigree?generations=6`,
		},
	];
}
