import type { Page } from '@paddock/contract';
import { listPage, sorted, textMatches, textQuery, wordsBegin } from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { sql } from 'kysely';
import type { AuthQueryable } from '../database-schema.ts';
import type { UserQuery } from './schemas.ts';
import { type User, userColumns } from './view.ts';

const order = {
	defaultSort: ['lastName', 'firstName'],
	alphabetical: ['lastName', 'firstName'],
	// Users who never signed in count as the earliest.
	expressions: { lastLoginAt: sql`coalesce(last_login_at, '-infinity')` },
} as const;

/**
 * One page of the users. Without `sort`, users in whose name or address each word of `q` begins a word come first, then
 * by name.
 */
export async function listUsers(db: AuthQueryable, query: UserQuery): Promise<Page<User>> {
	const { q, role, status, sort } = query;
	let users = db.selectFrom('users').select(userColumns);
	if (role !== undefined) users = users.where(sql<boolean>`${role} = any(roles)`);
	if (status !== undefined) users = users.where('status', '=', status);
	if (q !== undefined) {
		const text = textQuery(q);
		users = users.where(textMatches('searchText', text));
		if (sort === undefined) users = users.orderBy(wordsBegin('searchText', text), 'desc');
	}
	return listPage(sorted(users, sort, order).orderBy('id'), pageRequest(query), (user) => user);
}
