import type { Page, PageRequest, SortCriterion } from '@paddock/contract';
import { pageOf } from '@paddock/contract';
import type { Role } from '@paddock/identity';

import { type ExpressionBuilder, sql } from 'kysely';
import type { AuthQueryable, AuthTables, UserStatus } from '../auth-database.ts';
import { foldText } from '../fold-text.ts';
import type { User } from './user.ts';
import { userColumns, userOf } from './user-repository.ts';

export const userSortFields = [
	'lastName',
	'firstName',
	'email',
	'status',
	'createdAt',
	'lastLoginAt',
] as const;

export type UserSortField = (typeof userSortFields)[number];

const sortColumns = {
	lastName: 'last_name',
	firstName: 'first_name',
	email: 'email',
	status: 'status',
	createdAt: 'created_at',
	lastLoginAt: 'last_login_at',
} as const satisfies Record<UserSortField, keyof AuthTables['users']>;

export interface UserFilter {
	/** Part of a name or address. */
	readonly q: string | undefined;
	readonly role: Role | undefined;
	readonly status: UserStatus | undefined;
}

/**
 * One page of the users. Without an order of the caller's, those where a word begins with `q` come first, then by name;
 * users who never signed in count as the earliest.
 */
export async function listUsers(
	db: AuthQueryable,
	filter: UserFilter,
	sort: readonly SortCriterion<UserSortField>[] | undefined,
	page: PageRequest,
): Promise<Page<User>> {
	const matching = db.selectFrom('users').where((where) => conditions(where, filter));
	const { total } = await matching
		.select((select) => select.fn.countAll<number>().as('total'))
		.executeTakeFirstOrThrow();
	let rows = matching.select(userColumns);
	if (sort === undefined && filter.q !== undefined) {
		const beginning = `% ${likePattern(filter.q)}%`;
		rows = rows.orderBy(sql`search_text like ${beginning}`, 'desc');
	}
	for (const { field, descending } of sort ?? defaultOrder) {
		rows = rows.orderBy(sortColumns[field], (order) =>
			descending ? order.desc().nullsLast() : order.asc().nullsFirst(),
		);
	}
	const found = await rows.orderBy('id').limit(page.size).offset(page.offset).execute();
	return pageOf(found.map(userOf), total, page);
}

const defaultOrder: readonly SortCriterion<UserSortField>[] = [
	{ field: 'lastName', descending: false },
	{ field: 'firstName', descending: false },
];

function conditions(where: ExpressionBuilder<AuthTables, 'users'>, filter: UserFilter) {
	return where.and([
		...(filter.q === undefined ? [] : [where('search_text', 'like', `%${likePattern(filter.q)}%`)]),
		...(filter.role === undefined ? [] : [sql<boolean>`${filter.role} = any(roles)`]),
		...(filter.status === undefined ? [] : [where('status', '=', filter.status)]),
	]);
}

/** `%` and `_` of the caller stand for themselves. */
function likePattern(q: string): string {
	return foldText(q).replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
}
