import { sql } from 'kysely';
import type { MembersQueryable } from '../database-schema.ts';

const batchMax = 500;

/**
 * Writes the suspensions that have ended, with the result of `currentState`: readers see no difference, but a list of what
 * has changed is read along its index. Locked members are left to the next run.
 */
export async function endSuspensions(db: MembersQueryable, now: Date): Promise<void> {
	let written = batchMax;
	while (written === batchMax) {
		const { rows } = await sql`
			with ended as (
				select id from members
				where suspension_ends_at <= ${now} and status = 'SUSPENDED' and deleted_at is null
				order by suspension_ends_at limit ${sql.lit(batchMax)} for no key update skip locked
			), written as (
				update members set
					status = 'ACTIVE', status_reason = null, suspended_until = null,
					updated_at = greatest(updated_at, suspension_ends_at), version = version + 1
				from ended where members.id = ended.id
				returning members.id
			)
			update member_search set status = 'ACTIVE', suspension_ends_at = null
			from written where member_search.id = written.id
			returning member_search.id`.execute(db);
		written = rows.length;
	}
}

/** Ids of members whose suspension has ended between `since` and `now`, and is not written yet. */
export async function listEndedSuspensions(
	db: MembersQueryable,
	since: Date,
	now: Date,
): Promise<readonly string[]> {
	const rows = await db
		.selectFrom('members')
		.select('id')
		.where('suspensionEndsAt', '>=', since)
		.where('suspensionEndsAt', '<=', now)
		.where('status', '=', 'SUSPENDED')
		.where('deletedAt', 'is', null)
		.execute();
	return rows.map(({ id }) => id);
}
