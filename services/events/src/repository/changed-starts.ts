import { sql } from 'kysely';
import type { EventsQueryable } from '../database-schema.ts';
import type { EntryCheck } from '../entries/entry-check.ts';
import type { NewStartRow } from '../entry-tables.ts';
import type { FullEntryRow } from './entry-rows.ts';

/** What becomes of an entry's starts. */
export interface StartChange {
	readonly added: readonly Pick<NewStartRow, 'competition_id' | 'start_fee'>[];
	/** Ids of competitions. */
	readonly removed: readonly string[];
	readonly checks: readonly EntryCheck[];
	readonly now: Date;
}

/** Needs the lock on the event. Fees of removed starts are no longer due, those of added ones are. */
export async function replaceStarts(
	db: EventsQueryable,
	{ id: entry_id, status, horse_id, rider_member_id, starts }: FullEntryRow,
	{ added, removed, checks, now }: StartChange,
): Promise<void> {
	if (removed.length > 0)
		await db
			.deleteFrom('starts')
			.where('entry_id', '=', entry_id)
			.where('competition_id', 'in', removed)
			.execute();
	const rows = added.map((start) => ({ ...start, entry_id, status, horse_id, rider_member_id }));
	if (rows.length > 0) await db.insertInto('starts').values(rows).execute();
	const lost = starts.filter(({ competitionId }) => removed.includes(competitionId));
	const difference =
		status === 'PENDING_CONFIRMATION'
			? 0
			: sum(added.map(({ start_fee }) => start_fee)) - sum(lost.map(({ startFee }) => startFee));
	await db
		.updateTable('entries')
		.set({
			amount_due: sql`amount_due + ${difference}::integer`,
			checks: JSON.stringify(checks),
			updated_at: now,
			version: sql`version + 1`,
		})
		.where('id', '=', entry_id)
		.execute();
}

function sum(fees: readonly number[]): number {
	return fees.reduce((total, fee) => total + fee, 0);
}
