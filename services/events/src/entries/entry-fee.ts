import { asSystem, changedAt } from '@paddock/database';
import { sql } from 'kysely';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import { openStatuses, unendedStatuses } from '../enumerations.ts';
import { bookLines } from './ledger.ts';

interface Passing {
	readonly id: string;
	/** Booked entry fee, in cents; of a further entry usually none. */
	readonly booked: number;
	/** The waiting entry that has borne the fee; null if it has ended. */
	readonly holderId: string | null;
	readonly holderBooked: number;
}

/**
 * Books the one entry fee of each horse (OeTO §26.1) on another of its entries if the one that bore it ended without owing it, or
 * waits while the other has a place: on one with a place, then the earliest. Call it after each change of the entries of a horse, not
 * inside `asSystem`; needs the lock on the event. Resolves with the ids of the changed entries.
 */
export async function passEntryFees(
	db: EventsQueryable,
	event: Pick<EventRow, 'id' | 'entryFee'>,
	horseIds: readonly string[],
	now: Date,
): Promise<readonly string[]> {
	const passings = await listPassings(db, event.id, horseIds);
	if (passings.length === 0) return [];
	await asSystem(db, async () => {
		for (const { id, booked, holderId, holderBooked } of passings) {
			// First, since a horse has one open entry that is not additional.
			if (holderId !== null)
				await setBearer(db, holderId, { isAdditional: true, amount: -holderBooked, now });
			await setBearer(db, id, { isAdditional: false, amount: event.entryFee - booked, now });
		}
	});
	return passings.flatMap(({ id, holderId }) => (holderId === null ? [id] : [id, holderId]));
}

/** An entry that ended after the entry deadline, or with its competitions, owes the fee. */
const owesFee = sql<boolean>`status <> all (${[...unendedStatuses]}) and amount_due > 0 and (
	status = 'CANCELLED' or checks @> '[{"code": "NO_REFUND", "rule": {"paragraph": "28.7"}}]'
)`;

const bookedOn = (entry: string) => sql<number>`(
	select coalesce(sum(amount), 0)::integer from ledger_lines where kind = 'ENTRY' and entry_id = ${sql.ref(entry)}
)`;

async function listPassings(
	db: EventsQueryable,
	eventId: string,
	horseIds: readonly string[],
): Promise<readonly Passing[]> {
	const { rows } = await sql<Passing>`
		with own as (
			select * from entries where event_id = ${eventId}::uuid and horse_id = any (${[...new Set(horseIds)]}::uuid[])
		), open as (
			select * from own where status = any (${[...openStatuses]})
		), bearer as (
			select distinct on (horse_id) * from open
			order by horse_id, status = 'WAITLISTED', is_additional, entry_number
		)
		select bearer.id, ${bookedOn('bearer.id')} as booked, holder.id as holder_id, ${bookedOn('holder.id')} as holder_booked
		from bearer left join open as holder on holder.horse_id = bearer.horse_id and not holder.is_additional
		where bearer.is_additional and not exists (
			select from own where horse_id = bearer.horse_id and not is_additional and ${owesFee}
		)`.execute(db);
	return rows;
}

async function setBearer(
	db: EventsQueryable,
	entryId: string,
	{
		isAdditional,
		amount,
		now,
	}: { readonly isAdditional: boolean; readonly amount: number; readonly now: Date },
): Promise<void> {
	await db
		.updateTable('entries')
		.set({ isAdditional, ...changedAt(now) })
		.where('id', '=', entryId)
		.execute();
	const reason = isAdditional ? 'Entry fee on another entry of the horse' : 'Entry fee';
	await bookLines(db, entryId, [{ kind: 'ENTRY', amount, reason }], { by: null, now });
}
