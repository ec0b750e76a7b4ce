import { sql } from 'kysely';
import type { EventsQueryable } from '../database-schema.ts';
import { openStatuses } from '../entries/entry-status.ts';

/** Tells every open entry that its event is off: nothing is due any more. Needs the lock on the event. Resolves with how many there were. */
export async function cancelEntriesOfEvent(db: EventsQueryable, eventId: string, now: Date): Promise<number> {
	const cancelled = await db
		.updateTable('entries')
		.set({ status: 'CANCELLED', position: null, amount_due: 0, updated_at: now, version: sql`version + 1` })
		.where('event_id', '=', eventId)
		.where('status', 'in', openStatuses)
		.returning('id')
		.execute();
	const ids = cancelled.map(({ id }) => id);
	if (ids.length === 0) return 0;
	await db
		.updateTable('starts')
		.set({ status: 'CANCELLED' })
		.where('entry_id', 'in', ids)
		.where('status', 'in', openStatuses)
		.execute();
	return ids.length;
}

/**
 * Ends the open starts in a competition that is off, with their fees; an entry that has no other start left ends with
 * them and owes nothing. Frees places: call `promoteWaiting` afterwards. Needs the lock on the event.
 */
export async function cancelStartsOfCompetition(
	db: EventsQueryable,
	competitionId: string,
	now: Date,
): Promise<void> {
	const cancelled = await db
		.updateTable('starts')
		.set({ status: 'CANCELLED' })
		.where('competition_id', '=', competitionId)
		.where('status', 'in', openStatuses)
		.returning(['entry_id', 'start_fee'])
		.execute();
	if (cancelled.length === 0) return;
	const open = sql`select from starts where starts.entry_id = entries.id and status = any (${[...openStatuses]})`;
	await sql`
		update entries set
			amount_due = case when exists (${open}) then amount_due - lost.start_fee else 0 end,
			status = case when exists (${open}) then status else 'CANCELLED' end,
			position = case when exists (${open}) then position end,
			updated_at = ${now},
			version = version + 1
		from (
			select entry_id, start_fee from starts where competition_id = ${competitionId}
		) as lost
		where entries.id = lost.entry_id
			and entries.id = any (${cancelled.map(({ entry_id }) => entry_id)}::uuid[])`.execute(db);
}
