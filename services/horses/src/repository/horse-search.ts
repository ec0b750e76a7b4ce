import type { Page } from '@paddock/contract';
import { alphabetical, rankedPage, rowsOfPage, searchPatterns } from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { cleanNumber } from '@paddock/text';
import { type RawBuilder, sql } from 'kysely';
import type { HorseRow, HorsesQueryable } from '../database-schema.ts';
import type { HorseSearchQuery } from '../schemas/horse-query.ts';
import type { HorseSelect } from './horse-list.ts';
import { type FindingScope, hasNumber, hasNumberPart } from './horse-numbers.ts';

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
	for (const word of wordsOf(query.name)) matching = matching.where(matches('nameText', word));
	for (const word of wordsOf(query.q)) matching = matching.where(inNameOrNumber(word, scope));
	const hits = matching
		.select('id')
		.orderBy(rankOf(query, scope))
		.orderBy(alphabetical('name'))
		.orderBy('birthYear')
		.orderBy('id');
	const page = await rankedPage(hits, pageRequest(query), ({ id }) => id);
	return rowsOfPage(page, (ids) => db.selectFrom('horses').selectAll().where('id', 'in', ids).execute());
}

function wordsOf(text: string | undefined): readonly string[] {
	return [...new Set(text?.split(/\s+/))].filter((word) => word !== '');
}

function matches(
	column: 'nameText' | 'numberText',
	text: string,
	where: 'prefix' | 'infix' = 'infix',
): RawBuilder<boolean> {
	return sql<boolean>`${sql.ref(column)} like any (${searchPatterns(text)[where]})`;
}

function inNameOrNumber(word: string, scope: FindingScope): RawBuilder<boolean> {
	const number = cleanNumber(word);
	// A word of hyphens only cleans to an empty string, which every number would contain.
	if (number === '') return matches('nameText', word);
	const inText = matches('numberText', number);
	// `numberText` contains all numbers and is indexed: it selects candidates, then the columns that the caller may
	// read decide.
	const inNumber = scope.withIdentifiers ? inText : sql`(${inText} and ${hasNumberPart(number, scope)})`;
	return sql<boolean>`(${matches('nameText', word)} or ${inNumber})`;
}

function rankOf({ q, name }: HorseSearchQuery, scope: FindingScope): RawBuilder<number> {
	const text = q ?? name ?? '';
	if (q === undefined) return sql<number>`case when ${matches('nameText', text, 'prefix')} then 1 else 3 end`;
	const number = cleanNumber(q);
	const isCompared = number !== '' && scope.withIdentifiers;
	const startsNumber = isCompared ? matches('numberText', number, 'prefix') : sql<boolean>`false`;
	return sql<number>`
		case
			when ${hasNumber(number, scope)} then 0
			when ${matches('nameText', text, 'prefix')} then 1
			when ${startsNumber} then 2
			else 3
		end`;
}
