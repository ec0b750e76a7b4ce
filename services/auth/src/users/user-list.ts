import type { Page } from '@paddock/contract';
import { listPage, searchPatterns, sorted } from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { sql } from 'kysely';
import type { AuthQueryable } from '../database-schema.ts';
import type { UserQuery } from '../schemas/user.ts';
import { type User, userColumns } from './user.ts';

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
	const words = q?.split(/\s+/).map(searchPatterns) ?? [];
	let users = db.selectFrom('users').select(userColumns);
	if (role !== undefined) users = users.where(sql<boolean>`${role} = any(roles)`);
	if (status !== undefined) users = users.where('status', '=', status);
	for (const { infix } of words) users = users.where(sql<boolean>`search_text like any (${infix})`);
	if (sort === undefined && words.length > 0) {
		const beginnings = words.map(({ prefix }) => sql`search_text like any (${prefix})`);
		users = users.orderBy(sql.join(beginnings, sql` and `), 'desc');
	}
	return listPage(sorted(users, sort, order).orderBy('id'), pageRequest(query), (user) => user);
}
