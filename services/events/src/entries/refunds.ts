import { changedAt } from '@paddock/database';
import { sql } from 'kysely';
import type { CompetitionRow, EventRow, EventsQueryable } from '../database-schema.ts';
import { unendedStatuses } from '../enumerations.ts';
import { type Booking, bookLines } from './ledger.ts';
import { type ToldEntry, toldColumns } from './new-entry-texts.ts';
import { notVacated } from './store.ts';

const withoutNoRefund = sql<string>`(
	select coalesce(jsonb_agg(item order by place), '[]')
	from jsonb_array_elements(checks) with ordinality as list (item, place) where item ->> 'code' <> 'NO_REFUND'
)`;

/** Clears all amounts due, also those of late withdrawals. Needs the lock on the event. Resolves with the cancelled entries. */
export async function cancelEntriesOfEvent(
	db: EventsQueryable,
	eventId: string,
	{ by, now }: Booking,
): Promise<readonly ToldEntry[]> {
	await db
		.updateTable('entries')
		.set({ checks: withoutNoRefund, ...changedAt(now) })
		.where('eventId', '=', eventId)
		.where('status', 'not in', unendedStatuses)
		.where('amountDue', '>', 0)
		.execute();
	await sql`
		insert into ledger_lines (entry_id, kind, amount, reason, booked_by, booked_at)
		select id, 'REFUND', -amount_due, 'The event was cancelled', ${by}::uuid, ${now}::timestamptz
		from entries where event_id = ${eventId} and amount_due > 0`.execute(db);
	const cancelled = await db
		.updateTable('entries')
		.set({ status: 'CANCELLED', position: null, ...changedAt(now) })
		.where('eventId', '=', eventId)
		.where('status', 'in', unendedStatuses)
		.returning(['id', ...toldColumns])
		.execute();
	const ids = cancelled.map(({ id }) => id);
	if (ids.length === 0) return [];
	await db
		.updateTable('starts')
		.set({ status: 'CANCELLED' })
		.where('entryId', 'in', ids)
		.where('status', 'in', unendedStatuses)
		.execute();
	return cancelled;
}

/**
 * With the fees of the starts, and no more (OeTO §25.4). An entry without another start is cancelled and owes the rest, unless it
 * had no place. Frees places: call `promoteWaiting` afterwards. Needs the lock on the event. Resolves with the entries concerned.
 */
export async function cancelStartsOfCompetition(
	db: EventsQueryable,
	{ id: competitionId, number }: Pick<CompetitionRow, 'id' | 'number'>,
	{ by, now }: Booking,
): Promise<readonly ToldEntry[]> {
	const open = sql`any (${[...unendedStatuses]})`;
	const { rows: cancelled } = await sql<{ entryId: string }>`
		update starts set status = 'CANCELLED'
		from entries
		where entries.id = starts.entry_id
			and starts.competition_id = ${competitionId}
			and (starts.status = ${open} or (starts.status = 'WITHDRAWN' and entries.amount_due > 0))
		returning starts.entry_id`.execute(db);
	if (cancelled.length === 0) return [];
	const left = sql`exists (
		select from starts where starts.entry_id = entries.id and (status = ${open} or status = 'WITHDRAWN')
	)`;
	const concerned = sql`any (${cancelled.map(({ entryId }) => entryId)}::uuid[])`;
	await sql`
		insert into ledger_lines (entry_id, kind, amount, competition_id, reason, booked_by, booked_at)
		select id, 'REFUND', -lost, ${competitionId}::uuid, ${`No. ${number} was cancelled`}::text, ${by}::uuid, ${now}::timestamptz
		from (
			select entries.id, case
				when entries.status = 'WAITLISTED' and not ${left} then amount_due
				-- Without what a withdrawal has returned; least() ignores the null of entries that have no lines of their starts.
				else least(amount_due, starts.start_fee, (
					select sum(amount)::integer from ledger_lines
					where entry_id = entries.id and competition_id = ${competitionId}::uuid
				))
			end as lost
			from entries join starts on starts.entry_id = entries.id and starts.competition_id = ${competitionId}
			where entries.id = ${concerned} and entries.amount_due > 0
		) as refunds
		where lost > 0`.execute(db);
	await sql`
		update entries set
			status = case when ${left} or status = 'WITHDRAWN' then status else 'CANCELLED' end,
			position = case when ${left} then position end,
			updated_at = ${now},
			version = version + 1
		where entries.id = ${concerned}`.execute(db);
	return db
		.selectFrom('entries')
		.select(toldColumns)
		.where('id', 'in', [...new Set(cancelled.map(({ entryId }) => entryId))])
		.execute();
}

/**
 * For each new entry a withdrawn one whose place it fills: with most competitions in common, then the earliest. Needs the lock on
 * the event.
 */
export async function refundFilledPlaces(
	db: EventsQueryable,
	{ id: eventId, maxEntries }: Pick<EventRow, 'id' | 'maxEntries'>,
	acceptedIds: readonly string[],
	now: Date,
): Promise<void> {
	for (const acceptedId of acceptedIds) {
		const shared = sql<number>`(
			select count(*) from starts left_one join starts taken using (competition_id)
			where left_one.entry_id = entries.id and taken.entry_id = ${acceptedId}
		)`;
		const taken = sql`(
			select array['EVENT'] || case when taker.boxes > 0 then array['BOXES'] else '{}' end || array(
				select competition_id::text from starts where entry_id = taker.id and status = 'ACCEPTED'
			) from entries as taker where taker.id = ${acceptedId}
		)`;
		const isUnknown = sql`vacated_places is null and (${maxEntries !== null} or ${shared} > 0)`;
		const vacated = await db
			.selectFrom('entries')
			.select(['id', 'amountDue'])
			.where('eventId', '=', eventId)
			.where('status', '=', 'WITHDRAWN')
			.where('vacatedAt', 'is not', null)
			.where('amountDue', '>', 0)
			.where(sql<boolean>`(vacated_places && ${taken} or ${isUnknown})`)
			.orderBy(shared, 'desc')
			.orderBy('vacatedAt')
			.orderBy('entryNumber')
			.limit(1)
			.executeTakeFirst();
		if (vacated === undefined) continue;
		const reason = 'The place was filled by another entry';
		await bookLines(db, vacated.id, [{ kind: 'REFUND', amount: -vacated.amountDue, reason }], {
			by: null,
			now,
		});
		await db
			.updateTable('entries')
			.set({ ...notVacated, checks: withoutNoRefund, ...changedAt(now) })
			.where('id', '=', vacated.id)
			.execute();
	}
}
