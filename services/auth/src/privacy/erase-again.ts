import { inTransaction } from '@paddock/database';
import type { AuthDatabase } from '../database-schema.ts';
import type { AuthDeps } from '../deps.ts';
import { erasureQueue } from './person-jobs.ts';
import { insertRequest } from './store.ts';

/** The accounts whose erasure has begun or is complete, for `eraseAgain` after a restore from an older backup. */
export async function listErasedAccounts(db: AuthDatabase): Promise<string[]> {
	const rows = await db
		.selectFrom('personRequests')
		.select('userId')
		.distinct()
		.where('kind', '=', 'ERASURE')
		.where('status', 'in', ['STARTED', 'DONE'])
		.orderBy('userId')
		.execute();
	return rows.map(({ userId }) => userId);
}

export type ErasureOutcome = 'requested' | 'erased' | 'unknown';

/**
 * Erases accounts that a restored backup has brought back, at once: their time to cancel is over. Repeatable.
 * @returns what was done by account: `erased` is in the backup as well, `unknown` is not in it at all
 */
export async function eraseAgain(
	{ db, jobs, now }: Pick<AuthDeps, 'db' | 'jobs' | 'now'>,
	userIds: readonly string[],
): Promise<ReadonlyMap<string, ErasureOutcome>> {
	const outcomes = new Map<string, ErasureOutcome>();
	for (const userId of new Set(userIds)) {
		const outcome = await inTransaction(db, async (transaction): Promise<ErasureOutcome> => {
			const users = transaction.selectFrom('users').select('id').where('id', '=', userId).forUpdate();
			if ((await users.executeTakeFirst()) === undefined) return 'unknown';
			const known = await transaction
				.selectFrom('personRequests')
				.select(['id', 'status'])
				.where('userId', '=', userId)
				.where('kind', '=', 'ERASURE')
				.where('status', 'in', ['REQUESTED', 'STARTED', 'DONE'])
				.orderBy('createdAt', 'desc')
				.executeTakeFirst();
			if (known?.status === 'DONE') return 'erased';
			const at = now();
			const request = known ?? (await insertRequest(transaction, { userId, kind: 'ERASURE', dueAt: at }, at));
			// Requested before the backup: the restored request may still wait, and so may its job.
			await transaction
				.updateTable('personRequests')
				.set({ dueAt: at, updatedAt: at })
				.where('id', '=', request.id)
				.where('status', '=', 'REQUESTED')
				.execute();
			await jobs.enqueue(transaction, erasureQueue, { requestId: request.id });
			return 'requested';
		});
		outcomes.set(userId, outcome);
	}
	return outcomes;
}
