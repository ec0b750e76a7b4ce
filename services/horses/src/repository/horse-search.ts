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

/** The search scope of the caller. */
export interface SearchScope {
	readonly withRemoved: boolean;
	/** Number columns to search. */
	readonly columns: readonly NumberColumn[];
}

/**
 * Finds horses that contain every word of the query, in the name or (`q` only) in a number. Order: the whole text is a
 * number of the horse, a name begins with it, a number begins with it, others; within each by name, then by age.
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

/** Rows in the order of the ids. */
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
	// A word of hyphens only cleans to an empty string, which every number would contain.
	if (number === '') return holds('name_text', word);
	const inText = holds('number_text', number);
	// `number_text` contains all numbers and is indexed: it selects candidates, then the columns that the caller may
	// read decide.
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
