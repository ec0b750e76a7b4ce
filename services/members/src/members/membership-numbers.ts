import { advisoryLock } from '@paddock/database';
import { sql } from 'kysely';
import type { MembersQueryable } from '../database-schema.ts';
import { membersError } from '../errors.ts';

const clubNumberLength = 4;

/**
 * Returns the next membership number of a club: one more than its highest or, once that is 9999, the lowest unassigned
 * one. Locks the numbers of the club until the transaction ends.
 * @throws ApiError MEMBERSHIP_NUMBERS_USED_UP
 */
export async function nextMembershipNumber(db: MembersQueryable, clubNumber: string): Promise<string> {
	await holdMembershipNumbers(db, clubNumber);
	const { rows } = await sql<{ next: number | null }>`
		with given as (
			select right(membership_number, 4)::integer as running from members
			where membership_number between ${`${clubNumber}0000`} and ${`${clubNumber}9999`}
		), highest as (
			select coalesce(max(running), 0) as running from given
		)
		select case when highest.running < 9999 then highest.running + 1 else (
			select min(free) from generate_series(1, 9999) free where free not in (select running from given)
		) end as next from highest`.execute(db);
	const next = rows[0]?.next ?? null;
	if (next === null) throw membersError('MEMBERSHIP_NUMBERS_USED_UP');
	return `${clubNumber}${String(next).padStart(4, '0')}`;
}

/**
 * Locks the numbers of a club until the transaction ends. Required for a number entered by hand too: it could be the
 * next one to be assigned.
 */
export async function holdMembershipNumbers(db: MembersQueryable, number: string): Promise<void> {
	await advisoryLock(db, `membership numbers of ${number.slice(0, clubNumberLength)}`);
}
