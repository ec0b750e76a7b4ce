import { alphabetical, beginsWith, matchesAny, textMatches, textQuery } from '@paddock/database';
import { cleanNumber, searchForms } from '@paddock/text';
import { type RawBuilder, sql } from 'kysely';
import { type FindingScope, hasNumber, hasNumberPart } from './number-store.ts';
import type { HorseSearchQuery } from './query-schemas.ts';

export type TypedTexts = Pick<HorseSearchQuery, 'q' | 'name'>;

export function hasTexts({ q, name }: TypedTexts, scope: FindingScope): RawBuilder<boolean> | undefined {
	const hits = [
		...(q === undefined ? [] : [inNameOrNumber(q, scope)]),
		...(name === undefined ? [] : [textMatches('nameText', textQuery(name))]),
	];
	return hits.length === 0 ? undefined : sql<boolean>`(${sql.join(hits, sql` and `)})`;
}

/** Those of a search: its rank, the hits that come first, and the names that begin with the text. */
export function hitsOf(typed: TypedTexts, scope: FindingScope) {
	const numbers = typed.q === undefined ? [] : [hasNumber(cleanNumber(typed.q), scope)];
	// Of one order, which has an index; the trigrams of a beginning are those of many names.
	return {
		rank: rankOf(typed, scope),
		best: numbers,
		begins: beginsWith('name', typed.q ?? typed.name ?? ''),
		// A name in quotation marks begins with the text too; marks sort before digits and letters.
		quoted: sql<boolean>`(${alphabetical('name')} < '0' and ${startsName(typed)})`,
	};
}

const horseTexts = { names: 'nameText', numbers: 'numberText' };

/** Each part of the query is in the name or in a number, or all of it together in either. */
export function inNameOrNumber(typed: string, scope: FindingScope, texts = horseTexts): RawBuilder<boolean> {
	const query = textQuery(typed);
	if (query.parts.length === 0) return sql<boolean>`false`;
	const parts = query.parts.map((part) => inEither(part.anywhere, cleanNumber(part.typed), { scope, texts }));
	const all = sql<boolean>`(${sql.join(parts, sql` and `)})`;
	if (query.together.length === 0) return all;
	return sql<boolean>`(${all} or ${inEither(query.together, cleanNumber(typed), { scope, texts })})`;
}

interface SearchedTexts {
	readonly scope: FindingScope;
	readonly texts: typeof horseTexts;
}

function inEither(inName: readonly string[], number: string, searched: SearchedTexts): RawBuilder<boolean> {
	const matchesName = matchesAny(searched.texts.names, inName);
	// Most numbers contain any one digit, and none contains other characters.
	if (!/^[\p{L}\p{N}]{2,}$/u.test(number)) return matchesName;
	return sql<boolean>`(${matchesName} or ${hasPart(number, searched)})`;
}

function hasPart(number: string, { scope, texts }: SearchedTexts): RawBuilder<boolean> {
	// As in names: the index has no two characters in the middle of a number.
	const inText = matchesAny(texts.numbers, numberPatterns(number, isShort(number) ? '%\n' : '%'));
	// `numberText` contains all numbers and is indexed: it selects candidates, then the columns that the caller may
	// read decide.
	return scope.withIdentifiers
		? inText
		: sql`(${inText} and ${hasNumberPart(number, { atBegin: isShort(number) }, scope)})`;
}

function isShort(number: string): boolean {
	return number.length < 3;
}

/** For a cleaned number of letters and digits. `before`: what may precede it, as a LIKE pattern. */
function numberPatterns(number: string, before: '%' | '%\n'): string[] {
	return searchForms(number).map((form) => `${before}${form}%`);
}

function startsName({ q, name }: TypedTexts): RawBuilder<boolean> {
	return matchesAny('nameText', textQuery(q ?? name ?? '').start);
}

function rankOf({ q, name }: TypedTexts, scope: FindingScope): RawBuilder<number> {
	const inName = startsName({ q, name });
	if (q === undefined) return sql<number>`case when ${inName} then 1 else 3 end`;
	const number = cleanNumber(q);
	const isCompared = /^[\p{L}\p{N}]+$/u.test(number) && scope.withIdentifiers;
	const startsNumber = isCompared
		? matchesAny('numberText', numberPatterns(number, '%\n'))
		: sql<boolean>`false`;
	return sql<number>`
		case
			when ${hasNumber(number, scope)} then 0
			when ${inName} then 1
			when ${startsNumber} then 2
			else 3
		end`;
}
