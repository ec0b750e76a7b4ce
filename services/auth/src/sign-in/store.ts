import { advisoryLock } from '@paddock/database';
import { sql } from 'kysely';
import type { AuthQueryable } from '../database-schema.ts';
import type { Subject } from './sign-in-subject.ts';

/** Failures of a subject that count at a given instant. */
export interface CountedFailures {
	/** `lastFailedAt` is not later than that instant; undefined if all failures are. */
	readonly series: { readonly failures: number; readonly lastFailedAt: Date | undefined };
	/** `nextFreeAt`: when the oldest failure stops counting. Empty if the address doesn't count. */
	readonly address: { readonly failures: number; readonly nextFreeAt: Date | undefined };
}

/**
 * Blocks all other attempts of the series or from the address until the transaction ends. The keys are sorted:
 * transactions that lock them in different orders could deadlock.
 */
export async function lockSubject(transaction: AuthQueryable, subject: Subject): Promise<void> {
	const keys = [subject.seriesKey, subject.addressKey].filter((key) => key !== undefined);
	for (const key of keys.sort()) await advisoryLock(transaction, key);
}

/**
 * Failures of later than `now` are those of an instance whose clock is ahead, or the clock was set back. A pause after them
 * would last for that much longer, so they delay nothing; those of the series still count towards its lock.
 */
export async function countFailures(
	db: AuthQueryable,
	subject: Subject,
	now: Date,
): Promise<CountedFailures> {
	const { rows } = await sql<{ of: 'series' | 'address'; failures: number; at: Date | null }>`
		select 'series' as of, count(*) as failures, max(failed_at) filter (where failed_at <= ${now}) as at
		from sign_in_failures
		where account_key = ${subject.seriesKey} and account_until > ${now}
		union all
		select 'address' as of, count(*) as failures, min(address_until) as at from sign_in_failures
		where address_key = ${subject.addressKey ?? null} and address_until > ${now} and failed_at <= ${now}`.execute(
		db,
	);
	const rowOf = (name: 'series' | 'address') => rows.find((candidate) => candidate.of === name);
	const [series, address] = [rowOf('series'), rowOf('address')];
	return {
		series: { failures: series?.failures ?? 0, lastFailedAt: series?.at ?? undefined },
		address: { failures: address?.failures ?? 0, nextFreeAt: address?.at ?? undefined },
	};
}

/**
 * Adds a failure. All failures of the series count at least until `seriesUntil`; for the address each failure expires
 * separately.
 * @returns its id
 */
export async function insertFailure(
	transaction: AuthQueryable,
	subject: Subject,
	at: { readonly now: Date; readonly seriesUntil: Date; readonly addressUntil: Date },
): Promise<number> {
	await transaction
		.updateTable('signInFailures')
		// An instance whose clock is behind must not end the series for the others.
		.set({ accountUntil: sql<Date>`greatest(account_until, ${at.seriesUntil}::timestamptz)` })
		.where('accountKey', '=', subject.seriesKey)
		.where('accountUntil', '>', at.now)
		.execute();
	const row = await transaction
		.insertInto('signInFailures')
		.values({
			accountKey: subject.seriesKey,
			addressKey: subject.addressKey ?? null,
			failedAt: at.now,
			accountUntil: at.seriesUntil,
			addressUntil: subject.addressKey === undefined ? null : at.addressUntil,
		})
		.returning('id')
		.executeTakeFirstOrThrow();
	return row.id;
}

export async function deleteFailure(db: AuthQueryable, id: number): Promise<void> {
	await db.deleteFrom('signInFailures').where('id', '=', id).execute();
}

/**
 * After a success the failures of the series no longer count, and those from this address no longer count for the
 * address. Failures on other accounts still count for the address: otherwise the owner of one account could guess the
 * passwords of all others and reset the count by signing in to that account.
 */
export async function forgiveSubject(transaction: AuthQueryable, subject: Subject, now: Date): Promise<void> {
	await sql`
		delete from sign_in_failures
		where account_key = ${subject.seriesKey} and address_key is not distinct from ${subject.addressKey ?? null}`.execute(
		transaction,
	);
	await forgiveSeries(transaction, [subject.seriesKey], now);
}

/**
 * Stops counting the failures of these series; for their addresses they still count.
 * @returns how many counted until now
 */
export async function forgiveSeries(
	db: AuthQueryable,
	seriesKeys: readonly string[],
	now: Date,
): Promise<number> {
	const { numUpdatedRows } = await db
		.updateTable('signInFailures')
		.set({ accountUntil: now })
		// One array: an account may have more sessions than a statement may have parameters.
		.where('accountKey', '=', sql<string>`any(${seriesKeys}::text[])`)
		.where('accountUntil', '>', now)
		.executeTakeFirst();
	return Number(numUpdatedRows);
}

/** Removes failures that no longer count. */
export async function deleteForgottenFailures(db: AuthQueryable, now: Date): Promise<void> {
	await db
		.deleteFrom('signInFailures')
		.where('accountUntil', '<=', now)
		.where((where) => where.or([where('addressUntil', 'is', null), where('addressUntil', '<=', now)]))
		.execute();
}
