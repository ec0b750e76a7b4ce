import type { Logger } from '@paddock/telemetry';
import type { AuthQueryable } from '../database-schema.ts';

/** Logs the accounts that migration 0005 unlinked from a member and that still await an officer's decision. */
export async function reportUnlinkedMembers(db: AuthQueryable, logger: Logger): Promise<void> {
	const rows = await db.selectFrom('unlinkedMembers').selectAll().orderBy('userId').execute();
	for (const { userId, memberId, keptBy } of rows) {
		logger.warn(
			'an account was unlinked from its member because another account holds it; set its memberId',
			{ userId, memberId, keptBy },
		);
	}
}

/** Removes the mark after an officer has set the member of the account or confirmed that it has none. */
export async function settleUnlinkedMember(db: AuthQueryable, userId: string): Promise<void> {
	await db.deleteFrom('unlinkedMembers').where('userId', '=', userId).execute();
}
