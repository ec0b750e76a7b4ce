import type { Page } from '@paddock/contract';
import { rankedPage, rowsOfPage } from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { type RawBuilder, sql } from 'kysely';
import type { MembersQueryable } from '../database-schema.ts';
import type { Viewer } from '../rules/member-rights.ts';
import type { WholeMember } from '../schemas/member.ts';
import type { MemberSearchQuery } from '../schemas/member-query.ts';
import { sharedConditions } from './member-conditions.ts';
import { listMembersByIds } from './members.ts';
import { type SearchWords, searchWords } from './search-words.ts';

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
	const words = searchWords(query.q);
	const conditions = [...sharedConditions(query, viewer, now), everyWord(words.words)];
	const hits = conditions
		.reduce((select, condition) => select.where(condition), db.selectFrom('memberSearch'))
		.select('id')
		.orderBy(rank(words))
		.orderBy('sortName')
		.orderBy('id');
	const page = await rankedPage(hits, pageRequest(query), ({ id }) => id);
	return rowsOfPage(page, (ids) => listMembersByIds(db, ids, now));
}

function rank({ identifier, beginnings }: SearchWords): RawBuilder<number> {
	const isIdentifier = identifier === undefined ? sql<boolean>`false` : like(identifier);
	const begins = beginnings.length === 0 ? sql<boolean>`true` : everyWord(beginnings);
	return sql`case when ${isIdentifier} then 0 when ${begins} then 1 else 2 end`;
}

function everyWord(words: readonly (readonly string[])[]): RawBuilder<boolean> {
	if (words.length === 0) return sql`false`;
	return sql`(${sql.join(words.map(like), sql` and `)})`;
}

function like(patterns: readonly string[]): RawBuilder<boolean> {
	return sql`search_text like any (${[...patterns]})`;
}
