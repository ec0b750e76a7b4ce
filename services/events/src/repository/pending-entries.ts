import { sql } from 'kysely';
import type { EventsQueryable } from '../database-schema.ts';
import type { ParticipantIds } from '../entries/participants.ts';
import type { NewEntryRow } from '../entry-tables.ts';

/** Whether this rider and this horse have an entry at the event, other than `except`, that waits for a confirmation. */
export async function hasPendingEntry(
	db: EventsQueryable,
	eventId: string,
	{ riderMemberId, horseId }: ParticipantIds,
	except?: string,
): Promise<boolean> {
	const pending = db
		.selectFrom('entries')
		.select('id')
		.where('event_id', '=', eventId)
		.where('rider_member_id', '=', riderMemberId)
		.where('horse_id', '=', horseId)
		.where('status', '=', 'PENDING_CONFIRMATION')
		.limit(1);
	const found = except === undefined ? pending : pending.where('id', '<>', except);
	return (await found.executeTakeFirst()) !== undefined;
}

/** What a confirmed entry becomes: as if it were made now, under the number that it has. */
export type ConfirmedEntry = Omit<
	NewEntryRow,
	'event_id' | 'entry_number' | 'entered_by' | 'created_at' | 'status_reason'
>;

/** Needs the lock on the event. Start fees are those of now. */
export async function updateConfirmedEntry(
	db: EventsQueryable,
	entryId: string,
	entry: ConfirmedEntry,
): Promise<void> {
	await db
		.updateTable('entries')
		.set({ ...entry, version: sql`version + 1` })
		.where('id', '=', entryId)
		.execute();
	await sql`
		update starts set status = ${entry.status}, start_fee = competitions.start_fee
		from competitions
		where competitions.id = starts.competition_id
			and starts.entry_id = ${entryId} and starts.status = 'PENDING_CONFIRMATION'`.execute(db);
}
