import type { Logger } from '@paddock/telemetry';
import type { AuthQueryable } from '../auth-database.ts';

/** Logs the accounts that migration 0005 unlinked from a member and that still await an officer's decision. */
export async function reportUnlinkedMembers(db: AuthQueryable, logger: Logger): Promise<void> {
	const rows = await db.selectFrom('unlinked_members').selectAll().orderBy('user_id').execute();
	for (const row of rows) {
		logger.warn(
			'an account was unlinked from its member because another account holds it; set its memberId',
			{
				userId: row.user_id,
				memberId: row.member_id,
				keptBy: row.kept_by,
			},
		);
	}
}

/** Removes the mark after an officer has set the member of the account or confirmed that it has none. */
export async function settleUnlinkedMember(db: AuthQueryable, userId: string): Promise<void> {
	await db.deleteFrom('unlinked_members').where('user_id', '=', userId).execute();
}
