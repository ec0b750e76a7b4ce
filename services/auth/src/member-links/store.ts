import type { Page } from '@paddock/contract';
import {
	anyOf,
	changedAt,
	isOneOf,
	listPage,
	refusals,
	refusing,
	textMatches,
	textQuery,
} from '@paddock/database';
import { accountSubject, claimsMarginMs } from '@paddock/identity';
import { pageRequest } from '@paddock/service';
import { type RawBuilder, sql } from 'kysely';
import type { AuthQueryable, MemberLinkRow } from '../database-schema.ts';
import { authError } from '../errors.ts';
import { insertRevocations } from '../revocations/store.ts';
import { type User, updateUser } from '../users/store.ts';
import { claimWindowMs, openSince, type Represented } from './rules.ts';
import type { ClaimBody, LinkQuery, LinkRequestQuery } from './schemas.ts';

const taken = refusals(authError, {
	member_links_one_self: 'MEMBER_ALREADY_LINKED',
	member_links_once: 'MEMBER_ALREADY_LINKED',
});

/** `match` is the member with the stated number and birth date, if there is one. */
export function insertClaim(
	db: AuthQueryable,
	claim: ClaimBody & { readonly userId: string },
	match: { readonly id: string; readonly homeClubId: string | null } | undefined,
	now: Date,
): Promise<MemberLinkRow> {
	return db
		.insertInto('memberLinks')
		.values({
			...claim,
			status: 'REQUESTED',
			memberId: match?.id ?? null,
			clubId: match?.homeClubId ?? null,
			memberClubId: match?.homeClubId ?? null,
			createdAt: now,
			updatedAt: now,
		})
		.returningAll()
		.executeTakeFirstOrThrow();
}

/** Claims of the account in the window, and when the earliest leaves it. */
export async function countClaims(
	db: AuthQueryable,
	userId: string,
	now: Date,
): Promise<{ readonly count: number; readonly earliest: Date | null }> {
	return db
		.selectFrom('memberLinks')
		.select([sql<number>`count(*)::int`.as('count'), (eb) => eb.fn.min('createdAt').as('earliest')])
		.where('userId', '=', userId)
		.where('membershipNumber', 'is not', null)
		.where('createdAt', '>', new Date(now.getTime() - claimWindowMs))
		.executeTakeFirstOrThrow();
}

export async function findLink(db: AuthQueryable, id: string): Promise<MemberLinkRow | undefined> {
	return db.selectFrom('memberLinks').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Needs the lock on the account's row, as every change of its links. */
export async function changeLink(
	transaction: AuthQueryable,
	link: MemberLinkRow,
	changes: Partial<Omit<MemberLinkRow, 'id' | 'userId' | 'version'>>,
	now: Date,
): Promise<MemberLinkRow> {
	const changed = transaction
		.updateTable('memberLinks')
		.set({ ...changes, ...changedAt(now) })
		.where('id', '=', link.id)
		.returningAll()
		.executeTakeFirstOrThrow();
	return refusing(taken, changed);
}

/**
 * The members that an account represents at `now`. Guardianships that end before a token could expire are left out; see
 * `AccessTokenClaims.holdsUntil`.
 */
export async function findRepresented(db: AuthQueryable, userId: string, now: Date): Promise<Represented> {
	const rows = await db
		.selectFrom('memberLinks')
		.select(['relationship', 'memberId', 'clubId', 'holdsUntil'])
		.where('userId', '=', userId)
		.where('status', '=', 'CONFIRMED')
		.where('relationship', '<>', 'SELF')
		.orderBy('memberId')
		.execute();
	const lastsMs = now.getTime() + claimsMarginMs;
	const lasting = rows.filter(({ holdsUntil }) => holdsUntil === null || holdsUntil.getTime() >= lastsMs);
	const clubs = new Map<string, string[]>();
	for (const { relationship, memberId, clubId } of lasting)
		if (relationship === 'CLUB_CONTACT' && memberId !== null && clubId !== null)
			clubs.set(clubId, [...(clubs.get(clubId) ?? []), memberId]);
	const ends = lasting.flatMap(({ holdsUntil }) => (holdsUntil === null ? [] : [holdsUntil.getTime()]));
	return {
		guardianOf: lasting.flatMap(({ relationship, memberId }) =>
			relationship === 'GUARDIAN' && memberId !== null ? [memberId] : [],
		),
		contactFor: [...clubs].map(([clubId, memberIds]) => ({ clubId, memberIds })),
		holdsUntil: ends.length === 0 ? undefined : new Date(Math.min(...ends)),
	};
}

/**
 * Gives the account a new version and revokes the tokens with the former links. Must be the last statement of its
 * transaction.
 */
export async function reviseAccount(
	transaction: AuthQueryable,
	user: User,
	changes: Pick<User, 'memberId'> | undefined,
	now: Date,
): Promise<void> {
	const { version } = await updateUser(transaction, user, changes ?? {}, now);
	await insertRevocations(transaction, [{ subject: accountSubject(user.id), before: version }], now);
}

/** Records who made or ended the link to the account's own member, which the trigger on `users` has written. */
export async function noteOffice(transaction: AuthQueryable, user: User, by: string): Promise<void> {
	const ofAccount = transaction
		.updateTable('memberLinks')
		.where('userId', '=', user.id)
		.where('relationship', '=', 'SELF')
		.where('updatedAt', '=', user.updatedAt);
	await ofAccount
		.set({ decidedBy: by })
		.where('status', '=', 'CONFIRMED')
		.where('decidedBy', 'is', null)
		.execute();
	await ofAccount.set({ endedBy: by }).where('status', '=', 'ENDED').where('endedBy', 'is', null).execute();
}

const order = { defaultSort: ['-createdAt'], indexed: ['createdAt', 'updatedAt'] } as const;

/** Links of one account, latest first. */
export function listLinksOf(
	db: AuthQueryable,
	userId: string,
	query: LinkQuery,
	now: Date,
): Promise<Page<MemberLinkRow>> {
	let links = db.selectFrom('memberLinks').where('userId', '=', userId);
	if (query.status !== undefined) links = links.where(hasOneOf(query.status, now));
	if (query.updatedSince !== undefined) links = links.where(hasChangedSince(query.updatedSince, now));
	if (query.q !== undefined) links = links.where(hasNumber(query.q));
	return listPage(db, links, {
		request: pageRequest(query),
		sort: query.sort,
		order,
		find: (ids) => db.selectFrom('memberLinks').selectAll().where(isOneOf('id', ids)).execute(),
	});
}

export type LinkWithAccount = MemberLinkRow & Pick<User, 'email' | 'firstName' | 'lastName'>;

/** Links to members of these clubs as stored, see `listDecidable`, or all with those that match no member; latest first. */
export function listRequests(
	db: AuthQueryable,
	clubs: 'all' | readonly string[],
	query: LinkRequestQuery,
	now: Date,
): Promise<Page<LinkWithAccount>> {
	let links = db.selectFrom('memberLinks');
	if (clubs !== 'all') links = links.where(sql<boolean>`member_club_id = any(${[...clubs]}::uuid[])`);
	if (query.clubId !== undefined) links = links.where('memberClubId', 'in', query.clubId);
	if (query.status !== undefined) links = links.where(hasOneOf(query.status, now));
	if (query.updatedSince !== undefined) links = links.where(hasChangedSince(query.updatedSince, now));
	let owners: RawBuilder<unknown> | undefined;
	if (query.q !== undefined) {
		const { q, clubId, status, updatedSince } = query;
		const hasText = textMatches('searchText', textQuery(q));
		const accounts = db.selectFrom('users').select('id').where(hasText);
		// The trigger on `users` makes a link to each account's own member.
		if (clubs === 'all' && [clubId, status, updatedSince].every((filter) => filter === undefined))
			owners = sql`select 1 from users where ${hasText} and member_id is not null`;
		// Numbers have digits only. Not `or`: a subquery in it keeps the planner from using an index, and so does a union from stopping early.
		const byNumber = db.selectFrom('memberLinks').select('id').where(hasNumber(q));
		const byAccount = db.selectFrom('memberLinks').select('id').where('userId', 'in', accounts);
		links = /^\d+$/.test(q)
			? links.where('id', 'in', byAccount.unionAll(byNumber))
			: links.where('userId', 'in', accounts);
	}
	return listPage(db, links, {
		request: pageRequest(query),
		sort: query.sort,
		order,
		isSearch: query.q !== undefined,
		owners,
		find: (ids) => selectWithAccount(db).where(isOneOf('memberLinks.id', ids)).execute(),
	});
}

export function getWithAccount(db: AuthQueryable, id: string): Promise<LinkWithAccount> {
	return selectWithAccount(db).where('memberLinks.id', '=', id).executeTakeFirstOrThrow();
}

function selectWithAccount(db: AuthQueryable) {
	return db
		.selectFrom('memberLinks')
		.innerJoin('users', 'users.id', 'memberLinks.userId')
		.selectAll('memberLinks')
		.select(['users.email', 'users.firstName', 'users.lastName']);
}

/** A part of the number; of fewer characters than the index of parts has, its beginning. */
function hasNumber(typed: string): RawBuilder<boolean> {
	const escaped = typed.replaceAll(/[\\%_]/g, '\\$&');
	return sql<boolean>`membership_number like ${typed.length < 3 ? `${escaped}%` : `%${escaped}%`}`;
}

/** Condition: changed at that instant or later; to lapse or end by the clock is a change without a write. */
function hasChangedSince(instant: string, now: Date): RawBuilder<boolean> {
	const since = new Date(instant);
	const lapse = sql`status = 'REQUESTED' and created_at between ${openSince(since)} and ${openSince(now)}`;
	const end = sql`status = 'CONFIRMED' and holds_until between ${since} and ${now}`;
	return sql<boolean>`(updated_at >= ${since} or (${lapse}) or (${end}))`;
}

function hasOneOf(statuses: readonly MemberLinkRow['status'][], now: Date): RawBuilder<boolean> {
	return anyOf(statuses.map((status) => hasStatus(status, now)));
}

/** `currentLink` in SQL. */
function hasStatus(status: MemberLinkRow['status'], now: Date): RawBuilder<boolean> {
	const lapsed = sql`(status = 'REQUESTED' and created_at <= ${openSince(now)})`;
	const over = sql`(status = 'CONFIRMED' and holds_until <= ${now})`;
	switch (status) {
		case 'REQUESTED':
			return sql`(status = 'REQUESTED' and created_at > ${openSince(now)})`;
		case 'CONFIRMED':
			return sql`(status = 'CONFIRMED' and (holds_until is null or holds_until > ${now}))`;
		case 'DECLINED':
			return sql`status = 'DECLINED'`;
		case 'ENDED':
			return sql`(status = 'ENDED' or ${lapsed} or ${over})`;
	}
}
