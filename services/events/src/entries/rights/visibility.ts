import { clubsCovered, type Principal } from '@paddock/identity';
import { type RawBuilder, sql } from 'kysely';
import { openStatuses, type ShownEntryStatus, unendedStatuses } from '../../enumerations.ts';
import { shownStatus } from '../../events/store.ts';

/** `isReadable` in SQL, over a row of `entries`, for callers who do not manage the event. */
export function concerns(principal: Principal, keptHorses: ReadonlySet<string>): RawBuilder<boolean> {
	const memberId = principal.memberId ?? null;
	return sql<boolean>`(
		entries.rider_member_id = ${memberId}::uuid
		or entries.rider_guardian_id = ${memberId}::uuid
		or ${memberId}::uuid = any (entries.horse_keeper_ids)
		or entries.horse_id = any (${[...keptHorses]}::uuid[])
		or ${ridesForClubOf(principal)}
		or (not entries.is_horse_confirmed and entries.horse_club_id = any (${clubsOf(principal)}::uuid[]))
	)`;
}

/** Whether the rider belonged, at entry, to a club whose official the caller is. */
export function ridesForClubOf(principal: Principal): RawBuilder<boolean> {
	return sql<boolean>`entries.rider_club_id = any (${clubsOf(principal)}::uuid[])`;
}

function clubsOf(principal: Principal): string[] {
	return [...clubsCovered(principal, 'CLUB_OFFICIAL')];
}

/** `shownEntryStatus` in SQL, over a row of `entries` with its event. */
export function shownEntryStatus(now: Date): RawBuilder<ShownEntryStatus> {
	return sql<ShownEntryStatus>`
		case
			when entries.status = 'WAITLISTED' and (events.status = 'COMPLETED' or events.ends_at <= ${now}) then 'EXPIRED'
			when entries.status <> 'PENDING_CONFIRMATION' then entries.status
			when events.starts_at <= ${now} or events.entry_deadline < ${now} then 'EXPIRED'
			else entries.status
		end`;
}

/** Whether an open entry is in doubt (see `isInDoubt`) at an event that is not over. */
export function needsAttention(now: Date): RawBuilder<boolean> {
	return sql<boolean>`(
		(entries.checks @> '[{"level": "ERROR"}]' or entries.checks @> '[{"code": "NOT_RECHECKED"}]')
		and ${shownEntryStatus(now)} = any (${[...unendedStatuses]})
		and ${shownStatus(now)} not in ('COMPLETED', 'CANCELLED')
	)`;
}

/** Whether an entry has a place or waits for one at an event that is not over. */
export function isOpenEntry(now: Date): RawBuilder<boolean> {
	return sql<boolean>`(
		entries.status = any (${[...openStatuses]}) and ${shownStatus(now)} not in ('COMPLETED', 'CANCELLED')
	)`;
}
