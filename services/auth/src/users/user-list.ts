import type { Page, PageRequest, SortCriterion } from '@paddock/contract';
import { alphabetical, listPage, type Ordering, searchPatterns, sorted } from '@paddock/database';
import type { Role } from '@paddock/identity';
import { sql } from 'kysely';
import type { AuthQueryable, UserStatus } from '../database-schema.ts';
import { type User, userColumns } from './user.ts';

export const userSortFields = [
	'lastName',
	'firstName',
	'email',
	'status',
	'createdAt',
	'lastLoginAt',
] as const;

type UserSortField = (typeof userSortFields)[number];

const ordering = {
	lastName: alphabetical('lastName'),
	firstName: alphabetical('firstName'),
	// Users who never signed in count as the earliest.
	lastLoginAt: sql`coalesce(last_login_at, '-infinity')`,
} satisfies Ordering<UserSortField>;

const defaultOrder: readonly SortCriterion<UserSortField>[] = [
	{ field: 'lastName', descending: false },
	{ field: 'firstName', descending: false },
];

interface UserFilter {
	/** Words, each of which must occur in a name or the address. */
	readonly q: string | undefined;
	readonly role: Role | undefined;
	readonly status: UserStatus | undefined;
}

/**
 * One page of the users. Without `sort`, users in whose name or address each word of `q` begins a word come first, then
 * by name.
 */
export async function listUsers(
	db: AuthQueryable,
	filter: UserFilter,
	sort: readonly SortCriterion<UserSortField>[] | undefined,
	page: PageRequest,
): Promise<Page<User>> {
	const words = filter.q?.split(/\s+/).map(searchPatterns) ?? [];
	let users = db.selectFrom('users').select(userColumns);
	if (filter.role !== undefined) users = users.where(sql<boolean>`${filter.role} = any(roles)`);
	if (filter.status !== undefined) users = users.where('status', '=', filter.status);
	for (const { infix } of words) users = users.where(sql<boolean>`search_text like any (${infix})`);
	if (sort === undefined && words.length > 0) {
		const beginnings = words.map(({ prefix }) => sql`search_text like any (${prefix})`);
		users = users.orderBy(sql.join(beginnings, sql` and `), 'desc');
	}
	return listPage(sorted(users, sort ?? defaultOrder, ordering).orderBy('id'), page, (user) => user);
}
