import { fullAgeYears } from '@paddock/calendar';
import { ApiError, apiError } from '@paddock/contract';
import { actsFor, clubsCovered, isOfficer, membersActedFor, type Principal } from '@paddock/identity';
import type { Call } from '@paddock/service';
import { type RawBuilder, sql } from 'kysely';
import { openStatuses, type ShownEntryStatus } from '../../enumerations.ts';
import type { Directory } from '../../peers/directory.ts';
import type { EntryListScope } from '../list.ts';
import type { EntriesQuery } from '../schemas.ts';
import { actsForRider, riderParties } from './sides.ts';

/** Others are refused rather than filtered: an empty list would read as a no. @throws ApiError OUT_OF_SCOPE; errors of peer calls. */
export async function entryListScope(
	{ riderMemberId: riders, clubId: clubIds, horseId: horseIds }: EntriesQuery,
	caller: Call,
	directory: Pick<Directory, 'members' | 'keptHorses'>,
): Promise<EntryListScope> {
	const { principal } = caller;
	if (isOfficer(principal)) return 'all';
	if (riders?.every((id) => actsFor(principal, id))) return 'all';
	const clubs = clubsCovered(principal, 'CLUB_OFFICIAL');
	if (clubIds?.every((id) => clubs.includes(id))) return 'clubs';
	if (riders !== undefined) {
		const known = await directory.members(riders, caller);
		const isRepresented = (id: string) => actsForRider(principal, riderParties(id, known.get(id)));
		if (riders.every(isRepresented)) return 'all';
	}
	if (horseIds !== undefined) {
		const kept = await keptHorses(caller, directory);
		if (horseIds.every((id) => kept.has(id))) return 'all';
	}
	const namesNothing = riders === undefined && clubIds === undefined && horseIds === undefined;
	if (clubs.length > 0 && namesNothing) return 'clubs';
	throw apiError('OUT_OF_SCOPE', {
		message: 'Name your own riderMemberId, that of your ward, a horseId or a clubId of yours.',
	});
}

/** Ids of the horses that the caller, or a member whom the caller acts for, owns or is responsible for today. */
async function keptHorses(
	caller: Call,
	directory: Pick<Directory, 'keptHorses'>,
): Promise<ReadonlySet<string>> {
	const members = membersActedFor(caller.principal);
	const kept = await Promise.all(members.map((memberId) => directory.keptHorses(memberId, caller)));
	return new Set(kept.flatMap((ids) => [...ids]));
}

/** Empty while the horse registry does not respond: entries are then visible to the horse's parties of the day of entry. */
export async function keptHorsesForReading(
	caller: Call,
	directory: Pick<Directory, 'keptHorses'>,
): Promise<ReadonlySet<string>> {
	try {
		return await keptHorses(caller, directory);
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		caller.log.warn('kept horses unknown, entries visible as on the day of entry', { code: error.code });
		return new Set();
	}
}

/** `isReadable` in SQL, for callers who do not manage the event. */
export function concerns(
	principal: Principal,
	keptHorses: ReadonlySet<string>,
	now: Date,
): RawBuilder<boolean> {
	const memberIds = [...membersActedFor(principal)];
	return sql<boolean>`(
		entries.rider_member_id = any (${memberIds}::uuid[])
		or ${isWardOf(principal, now)}
		or entries.horse_keeper_ids && ${memberIds}::uuid[]
		or ${isContactsRider(principal)}
		or entries.horse_id = any (${[...keptHorses]}::uuid[])
		or ${ridesForClubOf(principal)}
		or (not entries.is_horse_confirmed and entries.horse_club_id = any (${clubsOf(principal)}::uuid[]))
	)`;
}

/** `guardianOn` in SQL. */
function isWardOf({ memberId }: Principal, now: Date): RawBuilder<boolean> {
	return sql<boolean>`(
		entries.rider_guardian_id = ${memberId ?? null}::uuid
		and coalesce(
			entries.judged_by ->> 'riderOfAgeAt',
			((entries.judged_by ->> 'riderBirthYear')::integer + ${fullAgeYears}::integer) || '-01-01T00:00:00Z'
		)::timestamptz > ${now}
	)`;
}

/** `isContactFor` in SQL, with the club of the day of entry. */
function isContactsRider({ contactFor }: Principal): RawBuilder<boolean> {
	const pairs = contactFor.flatMap(({ clubId, memberIds }) => memberIds.map((id) => ({ clubId, id })));
	return sql<boolean>`(entries.rider_club_id, entries.rider_member_id) in (
		select * from unnest(${pairs.map(({ clubId }) => clubId)}::uuid[], ${pairs.map(({ id }) => id)}::uuid[])
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

// Conditions on the event are sets of its ids, read once: a join would read all events for a page of entries that are not of a set.

const eventsWith = (condition: RawBuilder<unknown>) => sql`select events.id from events where ${condition}`;

// `distinct` keeps parallel workers away: to start them takes longer than to read the few undecided entries of these events.
const isOfUndecided = (condition: RawBuilder<unknown>) =>
	sql<boolean>`entries.event_id in (select distinct events.id from events where ${condition})`;

// One condition for an index, with the others in a form without statistics: as independent ones, the planner would expect a small
// part of the events of the future.
const isWaitedFor = (now: Date) =>
	isOfUndecided(sql`events.ends_at > ${now} and coalesce(events.status <> 'COMPLETED', false)`);
const isConfirmable = (now: Date) =>
	isOfUndecided(sql`events.starts_at > ${now} and coalesce(events.entry_deadline >= ${now}, true)`);

/** Condition: `shownEntryStatus` is that status, in a form that can use indexes of entries and events. */
export function hasEntryStatus(status: ShownEntryStatus, now: Date): RawBuilder<boolean> {
	switch (status) {
		case 'WAITLISTED':
			return sql<boolean>`(entries.status = 'WAITLISTED' and ${isWaitedFor(now)})`;
		case 'PENDING_CONFIRMATION':
			return sql<boolean>`(entries.status = 'PENDING_CONFIRMATION' and ${isConfirmable(now)})`;
		case 'EXPIRED':
			// The first condition is that of the partial index.
			return sql<boolean>`(
				entries.status in ('WAITLISTED', 'PENDING_CONFIRMATION') and case entries.status
					when 'WAITLISTED' then not ${isWaitedFor(now)} else not ${isConfirmable(now)} end
			)`;
		default:
			return sql<boolean>`entries.status = ${status}`;
	}
}

/**
 * Whether an open entry is in doubt (see `isInDoubt`) at an event that is not over. An array of these events: a set would be joined with
 * the entries in doubt of all others too.
 */
export function needsAttention(now: Date): RawBuilder<boolean> {
	return sql<boolean>`(
		(entries.checks @> '[{"level": "ERROR"}]' or entries.checks @> '[{"code": "NOT_RECHECKED"}]')
		and (${hasPlaceOrWaits} or ${hasEntryStatus('PENDING_CONFIRMATION', now)})
		and entries.event_id = any (array(${eventsNotOver(now)}))
	)`;
}

/** Condition: an entry has a place or waits for one at an event that is not over, in a form that can use indexes. */
export function isOpenEntry(now: Date): RawBuilder<boolean> {
	return sql<boolean>`(${hasPlaceOrWaits} and entries.event_id in (${eventsNotOver(now)}))`;
}

/** The same in a form for entries with a text, which reads all that have it or all of these events, whichever are fewer. */
export function isOpenHit(now: Date): RawBuilder<boolean> {
	return sql<boolean>`(${hasPlaceOrWaits} and entries.event_id = any (array(${eventsNotOver(now)})))`;
}

export const hasPlaceOrWaits = sql<boolean>`entries.status = any (${[...openStatuses]})`;

/** Selects the ids of the events whose entries can be open. */
export function eventsNotOver(now: Date): RawBuilder<unknown> {
	return eventsWith(
		sql`(events.ends_at > ${now} or events.status = 'DRAFT')
			and coalesce(events.status not in ('COMPLETED', 'CANCELLED'), false)`,
	);
}
