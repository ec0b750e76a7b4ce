import { changedAt } from '@paddock/database';
import { sql } from 'kysely';
import type { EventsQueryable } from '../database-schema.ts';
import { unendedStatuses } from '../enumerations.ts';

/**
 * Cancels every entry that has not ended with its event and clears all amounts due, also those of late withdrawals.
 * Needs the lock on the event. Resolves with the number of cancelled entries.
 */
export async function cancelEntriesOfEvent(db: EventsQueryable, eventId: string, now: Date): Promise<number> {
	await db
		.updateTable('entries')
		.set({ amountDue: 0, ...changedAt(now) })
		.where('eventId', '=', eventId)
		.where('status', 'not in', unendedStatuses)
		.where('amountDue', '>', 0)
		.execute();
	const cancelled = await db
		.updateTable('entries')
		.set({ status: 'CANCELLED', position: null, amountDue: 0, ...changedAt(now) })
		.where('eventId', '=', eventId)
		.where('status', 'in', unendedStatuses)
		.returning('id')
		.execute();
	const ids = cancelled.map(({ id }) => id);
	if (ids.length === 0) return 0;
	await db
		.updateTable('starts')
		.set({ status: 'CANCELLED' })
		.where('entryId', 'in', ids)
		.where('status', 'in', unendedStatuses)
		.execute();
	return ids.length;
}

/**
 * Cancels the open starts in a cancelled competition, with their fees (OeTO §25.4: the start fee, and no more). An entry
 * without any other start is cancelled too and still owes the rest, unless it had no place; a late withdrawal stays
 * withdrawn and owes less. Frees places: call `promoteWaiting` afterwards. Needs the lock on the event.
 */
export async function cancelStartsOfCompetition(
	db: EventsQueryable,
	competitionId: string,
	now: Date,
): Promise<void> {
	const open = sql`any (${[...unendedStatuses]})`;
	const { rows: cancelled } = await sql<{ entryId: string }>`
		update starts set status = 'CANCELLED'
		from entries
		where entries.id = starts.entry_id
			and starts.competition_id = ${competitionId}
			and (starts.status = ${open} or (starts.status = 'WITHDRAWN' and entries.amount_due > 0))
		returning starts.entry_id`.execute(db);
	if (cancelled.length === 0) return;
	const left = sql`exists (
		select from starts where starts.entry_id = entries.id and (status = ${open} or status = 'WITHDRAWN')
	)`;
	await sql`
		update entries set
			amount_due = case
				when status = 'PENDING_CONFIRMATION' or (status = 'WAITLISTED' and not ${left}) then 0
				else greatest(amount_due - lost.start_fee, 0)
			end,
			status = case when ${left} or status = 'WITHDRAWN' then status else 'CANCELLED' end,
			position = case when ${left} then position end,
			updated_at = ${now},
			version = version + 1
		from (
			select entry_id, start_fee from starts where competition_id = ${competitionId}
		) as lost
		where entries.id = lost.entry_id
			and entries.id = any (${cancelled.map(({ entryId }) => entryId)}::uuid[])`.execute(db);
}
