import { sql } from 'kysely';
import type { AuthQueryable } from '../auth-database.ts';

/** Whose failures an attempt adds to. */
export interface Subject {
	readonly accountKey: string;
	readonly addressKey: string;
}

export interface FailureSeries {
	readonly failures: number;
	readonly lastFailedAt: Date | undefined;
}

/**
 * Holds back every other attempt at the account or from the address until the transaction ends. In one order for all,
 * or two transactions could wait for each other.
 */
export async function lockSubject(transaction: AuthQueryable, subject: Subject): Promise<void> {
	for (const key of [subject.accountKey, subject.addressKey].sort()) {
		await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction);
	}
}

/** The failures in a row of both, as they count at `now`. */
export async function getFailureSeries(
	db: AuthQueryable,
	subject: Subject,
	now: Date,
): Promise<{ account: FailureSeries; address: FailureSeries }> {
	const { rows } = await sql<{ of: 'account' | 'address'; failures: number; last: Date | null }>`
		select 'account' as of, count(*) as failures, max(failed_at) as last from sign_in_failures
		where account_key = ${subject.accountKey} and account_until > ${now}
		union all
		select 'address' as of, count(*) as failures, max(failed_at) as last from sign_in_failures
		where address_key = ${subject.addressKey} and address_until > ${now}`.execute(db);
	const seriesOf = (name: 'account' | 'address'): FailureSeries => {
		const row = rows.find((candidate) => candidate.of === name);
		return { failures: row?.failures ?? 0, lastFailedAt: row?.last ?? undefined };
	};
	return { account: seriesOf('account'), address: seriesOf('address') };
}

/** Adds a failure, and lets both series count until these instants. Resolves to its id. */
export async function insertFailure(
	transaction: AuthQueryable,
	subject: Subject,
	at: { readonly now: Date; readonly accountUntil: Date; readonly addressUntil: Date },
): Promise<number> {
	await transaction
		.updateTable('sign_in_failures')
		.set({ account_until: at.accountUntil })
		.where('account_key', '=', subject.accountKey)
		.where('account_until', '>', at.now)
		.execute();
	await transaction
		.updateTable('sign_in_failures')
		.set({ address_until: at.addressUntil })
		.where('address_key', '=', subject.addressKey)
		.where('address_until', '>', at.now)
		.execute();
	const row = await transaction
		.insertInto('sign_in_failures')
		.values({
			account_key: subject.accountKey,
			address_key: subject.addressKey,
			failed_at: at.now,
			account_until: at.accountUntil,
			address_until: at.addressUntil,
		})
		.returning('id')
		.executeTakeFirstOrThrow();
	return row.id;
}

export async function deleteFailure(db: AuthQueryable, id: number): Promise<void> {
	await db.deleteFrom('sign_in_failures').where('id', '=', id).execute();
}

/**
 * The account's failures count no longer; those from this address don't count for the address either. Failures at other
 * accounts stay with the address: else whoever has one account could try all others, signing in to his own in between.
 */
export async function forgiveSubject(transaction: AuthQueryable, subject: Subject, now: Date): Promise<void> {
	await transaction
		.deleteFrom('sign_in_failures')
		.where('account_key', '=', subject.accountKey)
		.where('address_key', '=', subject.addressKey)
		.execute();
	await transaction
		.updateTable('sign_in_failures')
		.set({ account_until: now })
		.where('account_key', '=', subject.accountKey)
		.where('account_until', '>', now)
		.execute();
}

/** Removes what counts for nobody any more. */
export async function deleteForgottenFailures(db: AuthQueryable, now: Date): Promise<void> {
	await db
		.deleteFrom('sign_in_failures')
		.where('account_until', '<=', now)
		.where('address_until', '<=', now)
		.execute();
}
