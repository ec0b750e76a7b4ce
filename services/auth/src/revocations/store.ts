import { isDeepStrictEqual } from 'node:util';
import { accountSubject, type Revocation, revocationKeptMs, sessionSubject } from '@paddock/identity';
import { sql } from 'kysely';
import type { AuthQueryable } from '../database-schema.ts';
import { claimsOf } from '../users/rules.ts';
import type { User } from '../users/store.ts';

/** Position of a reader in the feed. The id changes when the database is recreated. */
export interface FeedPosition {
	readonly feedId: string;
	readonly position: number;
}

/**
 * Adds revocations to the feed. Must be the last statement of its transaction: it locks the feed until the transaction
 * ends, and a lock taken afterwards could cause a deadlock.
 */
export async function insertRevocations(
	transaction: AuthQueryable,
	revocations: readonly Revocation[],
	at: Date,
): Promise<void> {
	if (revocations.length === 0) return;
	const { last } = await transaction
		.updateTable('revocationFeed')
		.set({ last: sql<number>`last + ${revocations.length}::int` })
		.returning('last')
		.executeTakeFirstOrThrow();
	// Two arrays instead of four parameters per row: PostgreSQL accepts at most 65,535 parameters per statement, and an
	// account may have more sessions than a quarter of that.
	const subjects = revocations.map(({ subject }) => subject);
	const befores = revocations.map(({ before }) => before);
	await sql`
		insert into revocations (position, subject, before, created_at)
		select ${last - revocations.length}::bigint + number, subject, before, ${at}::timestamptz
		from unnest(${subjects}::text[], ${befores}::integer[]) with ordinality as revoked (subject, before, number)`.execute(
		transaction,
	);
}

/** The position of the latest revocation. */
export async function latestPosition(db: AuthQueryable): Promise<FeedPosition> {
	const { id, last } = await db.selectFrom('revocationFeed').select(['id', 'last']).executeTakeFirstOrThrow();
	return { feedId: id, position: last };
}

/** The next `limit` revocations after a position, in order. */
export async function listRevocations(
	db: AuthQueryable,
	after: number,
	limit: number,
): Promise<readonly (Revocation & { readonly position: number })[]> {
	return db
		.selectFrom('revocations')
		.select(['position', 'subject', 'before'])
		.where('position', '>', after)
		.orderBy('position')
		.limit(limit)
		.execute();
}

/** Removes revocations whose tokens have expired for every verifier, with a margin for late readers. */
export async function deleteExpiredRevocations(db: AuthQueryable, now: Date): Promise<void> {
	const before = new Date(now.getTime() - revocationKeptMs - 60_000);
	await db.deleteFrom('revocations').where('createdAt', '<', before).execute();
}

/** Revokes the access tokens of sessions that have ended. Must be the last statement of its transaction. */
export function revokeSessions(
	transaction: AuthQueryable,
	sessionIds: readonly string[],
	at: Date,
): Promise<void> {
	const revocations = sessionIds.map((id) => ({ subject: sessionSubject(id), before: null }));
	return insertRevocations(transaction, revocations, at);
}

/**
 * Revokes the access tokens with outdated claims if the change concerns a claim. A token carries the account version
 * from which its claims were read, so the order does not depend on clocks. The sessions continue, and a refresh issues
 * a current token. Must be the last statement of its transaction.
 */
export async function revokeOutdated(
	transaction: AuthQueryable,
	{ from, to }: { readonly from: User; readonly to: User },
	at: Date,
): Promise<void> {
	if (isDeepStrictEqual(shownOf(from), shownOf(to))) return;
	await insertRevocations(transaction, [{ subject: accountSubject(to.id), before: to.version }], at);
}

function shownOf(user: User) {
	return { ...claimsOf(user), status: user.status };
}
