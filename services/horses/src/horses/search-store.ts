import type { Page } from '@paddock/contract';
import { alphabetical, matchesAny, rankedPage, rowsOfPage, textMatches, textQuery } from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { cleanNumber, searchForms } from '@paddock/text';
import { type RawBuilder, sql } from 'kysely';
import type { HorseRow, HorsesQueryable } from '../database-schema.ts';
import type { HorseSelect } from './list-store.ts';
import { type FindingScope, hasNumber, hasNumberPart } from './number-store.ts';
import type { HorseSearchQuery } from './query-schemas.ts';

/**
 * Finds horses that contain every word of the query, in the name or (`q` only) in a number. Order: the whole text is a
 * number of the horse, a name begins with it, a number begins with it, others; within each by name, then by age.
 */
export async function searchHorses(
	db: HorsesQueryable,
	query: HorseSearchQuery,
	scope: FindingScope,
): Promise<Page<HorseRow>> {
	let matching: HorseSelect = db.selectFrom('horses');
	if (!scope.withRemoved) matching = matching.where('status', '<>', 'INACTIVE');
	if (query.name !== undefined) matching = matching.where(textMatches('nameText', textQuery(query.name)));
	if (query.q !== undefined) matching = matching.where(inNameOrNumber(query.q, scope));
	const hits = matching
		.select('id')
		.orderBy(rankOf(query, scope))
		.orderBy(alphabetical('name'))
		.orderBy('birthYear')
		.orderBy('id');
	const page = await rankedPage(hits, pageRequest(query), ({ id }) => id);
	return rowsOfPage(page, (ids) => db.selectFrom('horses').selectAll().where('id', 'in', ids).execute());
}

/** Each part of the query is in the name or in a number, or all of it together in either. */
function inNameOrNumber(typed: string, scope: FindingScope): RawBuilder<boolean> {
	const query = textQuery(typed);
	if (query.parts.length === 0) return sql<boolean>`false`;
	const parts = query.parts.map((part) => inEither(part.anywhere, cleanNumber(part.typed), scope));
	const all = sql<boolean>`(${sql.join(parts, sql` and `)})`;
	if (query.together.length === 0) return all;
	return sql<boolean>`(${all} or ${inEither(query.together, cleanNumber(typed), scope)})`;
}

function inEither(inName: readonly string[], number: string, scope: FindingScope): RawBuilder<boolean> {
	const matchesName = matchesAny('nameText', inName);
	// Most numbers contain any one digit, and none contains other characters.
	if (!/^[\p{L}\p{N}]{2,}$/u.test(number)) return matchesName;
	return sql<boolean>`(${matchesName} or ${hasPart(number, scope)})`;
}

function hasPart(number: string, scope: FindingScope): RawBuilder<boolean> {
	const inText = matchesAny('numberText', numberPatterns(number, '%'));
	// `numberText` contains all numbers and is indexed: it selects candidates, then the columns that the caller may
	// read decide.
	return scope.withIdentifiers ? inText : sql`(${inText} and ${hasNumberPart(number, scope)})`;
}

/** For a cleaned number of letters and digits. `before`: what may precede it, as a LIKE pattern. */
function numberPatterns(number: string, before: '%' | '%\n'): string[] {
	return searchForms(number).map((form) => `${before}${form}%`);
}

function rankOf({ q, name }: HorseSearchQuery, scope: FindingScope): RawBuilder<number> {
	const startsName = matchesAny('nameText', textQuery(q ?? name ?? '').start);
	if (q === undefined) return sql<number>`case when ${startsName} then 1 else 3 end`;
	const number = cleanNumber(q);
	const isCompared = /^[\p{L}\p{N}]+$/u.test(number) && scope.withIdentifiers;
	const startsNumber = isCompared
		? matchesAny('numberText', numberPatterns(number, '%\n'))
		: sql<boolean>`false`;
	return sql<number>`
		case
			when ${hasNumber(number, scope)} then 0
			when ${startsName} then 1
			when ${startsNumber} then 2
			else 3
		end`;
}
