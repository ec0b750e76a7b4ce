import { describe, expect, test } from '@jest/globals';
import { searchLines, textQuery } from './search-lines.ts';

test('a line for each text, and one for each word, without duplicates and absent values', () => {
	expect(searchLines('Togo', null, 'TOGO', 'Österreich').split('\n')).toEqual([
		'',
		'togo',
		' togo',
		'oesterreich',
		' oesterreich',
		' osterreich',
		'osterreich',
		'',
	]);
	expect(searchLines("Hotel d'Arc").split('\n')).toEqual([
		'',
		'hotel d arc',
		' hotel',
		' d',
		' arc',
		' darc',
		' hoteldarc',
		'',
	]);
	expect(searchLines(null, '', ' ', ['', ' '])).toBe('');
	// Otherwise the end of one name and the beginning of the other would match a query.
	expect(searchLines(['Huber', 'Eva'])).toBe('\nhuber eva\n huber\n eva\n');
	expect(searchLines(['Sukarno', ''])).toBe('\nsukarno\n sukarno\n');
});

/** Whether one of LIKE patterns matches; the escaped wildcards too. */
function isLike(text: string, patterns: readonly string[]): boolean {
	return patterns.some((pattern) => {
		const source = pattern.replace(/\\(.)|%|[^%\\]/gsu, (token, escaped?: string) =>
			token === '%' ? '.*' : (escaped ?? token).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
		);
		return new RegExp(`^${source}$`, 'su').test(text);
	});
}

function finds(typed: string, stored: readonly string[]): boolean {
	const { parts, together } = textQuery(typed);
	const text = searchLines(...stored);
	return (
		parts.length > 0 && (parts.every(({ anywhere }) => isLike(text, anywhere)) || isLike(text, together))
	);
}

describe('what is typed', () => {
	test.each([
		["l'etoile", ['L´Étoile']],
		['LETOILE', ['L’Étoile']],
		['l etoile', ['L`Étoile']],
		['L´Étoile', ["l'etoile"]],
		['LʼÉtoile', ['Letoile']],
		['Zügelbauer, Eva', ['Eva Zügelbauer']],
		['Zügelbauer,Eva', ['Eva Zügelbauer']],
		['zugelbauer;eva', ['Eva Zügelbauer']],
		['Zuegelbauer/Eva', ['Eva Zügelbauer']],
		['Eva-Zügelbauer', ['Eva Zügelbauer']],
		['Muller', ['Mueller']],
		['Mueller', ['Muller']],
		['Müller', ['Mueller']],
		['Soerensen', ['Sørensen']],
		['Sörensen', ['Sorensen']],
		['oneill', ["O'Neill"]],
		["o'neill", ['ONeill']],
		['O Neill', ['O’Neill']],
		['annamaria', ['Anna-Maria']],
		['Anna Maria', ['Annamaria']],
		['An-Na', ['Anna']],
		['De la Cruz', ['Delacruz']],
		['Ｍuller', ['Müller']],
		['Łódź', ['lodz']],
		['st georg', ['St. Georg']],
		['St.Georg', ['Sankt St Georg']],
		['Müller & Söhne', ['Mueller + Soehne']],
		['CSN-B', ['CSN B*']],
		['100 %', ['100 %']],
		['A', ['A']],
		['a', ['Huber A.']],
		['Ö', ['Ö']],
		['o', ['Ö']],
		['李', ['李', '小龙']],
		['?', ['?']],
		['%', ['%']],
		['_', ['_']],
		['\\', ['\\']],
		['🐴', ['🐴']],
		['...', ['…']],
		['\u0301', ['\u0301']],
		['7', ['7']],
		['huber ?', ['Huber']],
		['anna@xn--mller-kva.example', ['anna@xn--mller-kva.example']],
		['huber@example', ['anna.maria.huber@example.org']],
		['anna.huber@', ['Anna.Huber@post.example.org']],
		['anna.huber@', ['Anna Huber']],
		['@example.org', ['anna@example.org']],
		['Huber, a.b+c_d@mail.example.co.uk', ['Anna Huber', 'a.b+c_d@mail.example.co.uk']],
	])('%j finds %j', (typed, stored) => {
		expect(finds(typed, stored)).toBe(true);
	});

	test.each([
		['a', ['Anna']],
		['%', ['Anna']],
		['_', ['?']],
		['?', ['Anna ?']],
		['\u0301', ['Anna']],
		['Joe', ['Johann']],
		['ght', ['Star of the great hit']],
		['anna huber', ['Anna Hubmann']],
		['anna@example.org', ['berta@example.org']],
		['anna@example.org', ['anna.huber@example.org']],
		['CSN-B', ['CSN-C Bergheim']],
		[' ', ['Anna']],
	])('%j does not find %j', (typed, stored) => {
		expect(finds(typed, stored)).toBe(false);
	});
});

test('a short part is looked for at the beginning of words only, as the index needs it', () => {
	expect(finds('nn', ['Anna'])).toBe(false);
	expect(finds('an', ['Eva Anna'])).toBe(true);
	expect(finds('nna', ['Anna'])).toBe(true);
	expect(finds('Huber A', ['Huber Anna'])).toBe(true);
});

test('a pattern that another one covers is not compared', () => {
	expect(textQuery('Müller').parts.map(({ anywhere }) => anywhere)).toEqual([['%mueller%', '%muller%']]);
	expect(textQuery('Hüber').parts[0]?.beginning).toEqual(['%\n hueber%', '%\n huber%']);
	// `samul` is not a part of `samuel`.
	expect(textQuery('Samuel').parts[0]?.anywhere).toEqual(['%samuel%', '%\n samul\n%']);
});

test('an e-mail address is looked for in one word, of which a frequent domain has fewer trigrams', () => {
	expect(textQuery('anna@example.org').parts[0]?.anywhere).toEqual([
		'%annaexampleorg%',
		'%\n annaxampleorg\n%',
	]);
	expect(textQuery('huber anna@example.org').parts.map(({ anywhere }) => anywhere)).toEqual([
		['%huber%'],
		['%annaexampleorg%', '%\n annaxampleorg\n%'],
	]);
	const mail = 'anna.maria.huber@post.example.org';
	expect(isLike(searchLines(mail), textQuery(mail).whole)).toBe(true);
	expect(isLike(searchLines(mail), textQuery('maria.huber@post.example.org').whole)).toBe(false);
});

test('what begins with the query, and what is the query', () => {
	const query = textQuery('RV-Must');
	expect(isLike(searchLines('RV Musterau'), query.start)).toBe(true);
	expect(isLike(searchLines('Der RV Musterau'), query.start)).toBe(false);
	expect(isLike(searchLines('12340001'), textQuery('12 340/001').whole)).toBe(true);
	expect(isLike(searchLines('12340001'), textQuery('1234.0001').whole)).toBe(true);
	expect(isLike(searchLines('12340001@example.org'), textQuery('12340001').whole)).toBe(false);
	expect(isLike(searchLines('123400012'), textQuery('1234.0001').whole)).toBe(false);
});
