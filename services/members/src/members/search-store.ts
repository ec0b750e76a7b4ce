import type { Page } from '@paddock/contract';
import {
	matchesAny,
	rankedPage,
	rowsOfPage,
	type TextQuery,
	textMatches,
	textQuery,
	wordsBegin,
} from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { type RawBuilder, sql } from 'kysely';
import type { MembersQueryable } from '../database-schema.ts';
import { sharedConditions } from './conditions.ts';
import type { MemberSearchQuery } from './query-schemas.ts';
import type { Viewer } from './rules.ts';
import type { WholeMember } from './schemas.ts';
import { listMembersByIds } from './store.ts';

/**
 * The index consists of trigrams. Shorter texts can be found only at the beginning of a word, where the gap before them
 * counts too.
 */
const anywhereLengthMin = 3;

/**
 * Finds the members that match every word. Order: exact number or e-mail address, then names in which each word begins
 * a word, then the others; each group by name.
 * @throws ApiError FORBIDDEN if a caller other than the office requests deleted members.
 */
export async function searchMembers(
	db: MembersQueryable,
	query: MemberSearchQuery,
	viewer: Viewer,
	now: Date,
): Promise<Page<WholeMember>> {
	const text = textQuery(query.q, { anywhereLengthMin });
	const conditions = [...sharedConditions(query, viewer, now), textMatches('searchText', text)];
	const hits = conditions
		.reduce((select, condition) => select.where(condition), db.selectFrom('memberSearch'))
		.select('id')
		.orderBy(rank(query.q, text))
		.orderBy('sortName')
		.orderBy('id');
	const page = await rankedPage(hits, pageRequest(query), ({ id }) => id);
	return rowsOfPage(page, (ids) => listMembersByIds(db, ids, now));
}

function rank(typed: string, text: TextQuery): RawBuilder<number> {
	// Only text with a digit or an @ can be a number or an e-mail address.
	const isIdentifier = /[\d@]/.test(typed) ? matchesAny('searchText', text.whole) : sql<boolean>`false`;
	return sql`case when ${isIdentifier} then 0 when ${wordsBegin('searchText', text)} then 1 else 2 end`;
}
