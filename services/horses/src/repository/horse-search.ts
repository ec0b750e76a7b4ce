import type { Page } from '@paddock/contract';
import { alphabetical, rankedPage, searchPatterns } from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { type RawBuilder, sql } from 'kysely';
import { cleanNumber } from '../clean-number.ts';
import type { HorseRow, HorsesQueryable } from '../database-schema.ts';
import type { HorseSearchQuery } from '../schemas/horse-query.ts';
import { findsAll, hasNumber, hasNumberPart, type NumberColumn } from './horse-numbers.ts';
import type { HorseSelect } from './horse-ordering.ts';

type Column = 'name_text' | 'number_text';

/** What the caller may find. */
export interface SearchScope {
	readonly withRemoved: boolean;
	/** The numbers that are searched. */
	readonly columns: readonly NumberColumn[];
}

/**
 * Horses of which every word of the search is found, in the name or (`q` only) in a number. A horse that has the whole
 * text as a number comes first, then names and then numbers that begin with it, then the others; each by name,
 * and namesakes by age.
 */
export async function searchHorses(
	db: HorsesQueryable,
	query: HorseSearchQuery,
	{ withRemoved, columns }: SearchScope,
): Promise<Page<HorseRow>> {
	let matching: HorseSelect = db.selectFrom('horses');
	if (!withRemoved) matching = matching.where('status', '<>', 'INACTIVE');
	for (const word of wordsOf(query.name)) matching = matching.where(holds('name_text', word));
	for (const word of wordsOf(query.q)) matching = matching.where(inNameOrNumber(word, columns));
	const hits = matching
		.select('id')
		.orderBy(rankOf(query, columns))
		.orderBy(alphabetical('name'))
		.orderBy('birth_year')
		.orderBy('id');
	const { items: ids, pagination } = await rankedPage(hits, pageRequest(query), ({ id }) => id);
	return { items: await listHorsesByIds(db, ids), pagination };
}

/** In the order of the ids. */
async function listHorsesByIds(db: HorsesQueryable, ids: readonly string[]): Promise<HorseRow[]> {
	if (ids.length === 0) return [];
	const rows = await db.selectFrom('horses').selectAll().where('id', 'in', ids).execute();
	const horses = new Map(rows.map((row) => [row.id, row]));
	return ids.flatMap((id) => horses.get(id) ?? []);
}

function wordsOf(text: string | undefined): readonly string[] {
	return [...new Set(text?.split(/\s+/))].filter((word) => word !== '');
}

function holds(column: Column, text: string): RawBuilder<boolean> {
	return sql<boolean>`${sql.ref(column)} like any (${searchPatterns(text).infix})`;
}

function beginsWith(column: Column, text: string): RawBuilder<boolean> {
	return sql<boolean>`${sql.ref(column)} like any (${searchPatterns(text).prefix})`;
}

function inNameOrNumber(word: string, columns: readonly NumberColumn[]): RawBuilder<boolean> {
	const number = cleanNumber(word);
	// Of a word that is nothing but a hyphen no number is left, and every number holds nothing.
	if (number === '') return holds('name_text', word);
	const inText = holds('number_text', number);
	// The text contains every number: it finds candidates by its index, then the columns that the caller is shown decide.
	const inNumber = findsAll(columns) ? inText : sql`(${inText} and ${hasNumberPart(number, columns)})`;
	return sql<boolean>`(${holds('name_text', word)} or ${inNumber})`;
}

function rankOf({ q, name }: HorseSearchQuery, columns: readonly NumberColumn[]): RawBuilder<number> {
	const text = q ?? name ?? '';
	if (q === undefined) return sql<number>`case when ${beginsWith('name_text', text)} then 1 else 3 end`;
	const number = cleanNumber(q);
	const isCompared = number !== '' && findsAll(columns);
	const startsNumber = isCompared ? beginsWith('number_text', number) : sql<boolean>`false`;
	return sql<number>`
		case
			when ${hasNumber(number, columns)} then 0
			when ${beginsWith('name_text', text)} then 1
			when ${startsNumber} then 2
			else 3
		end`;
}
