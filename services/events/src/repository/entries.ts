import { fail, type Page } from '@paddock/contract';
import { alphabetical, listPage, type Ordering, sorted } from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { sql } from 'kysely';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { EntryListScope } from '../entries/entry-list-scope.ts';
import { type EntryStatus, unendedStatuses } from '../entries/entry-status.ts';
import type { EntryRow, NewEntryRow, NewStartRow } from '../entry-tables.ts';
import { mayManage } from '../event-access.ts';
import type { Entry } from '../schemas/entry.ts';
import type { EntriesQuery, EventEntriesQuery } from '../schemas/entry-query.ts';
import {
	type EntryViewer,
	eventColumns,
	type FullEntryRow,
	type SelectedStart,
	toEntry,
} from './entry-rows.ts';
import { concerns, isOpenEntry, ridesForClubOf, shownEntryStatus } from './entry-visibility.ts';
import { inOrder } from './in-order.ts';

type SortField = NonNullable<EntriesQuery['sort']>[number]['field'];

const ordering: Ordering<SortField> = {
	entryNumber: sql.ref('entries.entry_number'),
	createdAt: sql.ref('entries.created_at'),
	position: sql.ref('entries.position'),
	status: sql.ref('entries.status'),
	// Hidden names must not be told by their place in the list.
	riderName: sql`(case when entries.is_confirmed then entries.rider_name end) collate "und-x-icu"`,
	horseName: alphabetical('entries.horse_name'),
};

/** Selects the starts beside a row of `entries`, by the numbers of their competitions, in the same query. */
const starts = sql<readonly SelectedStart[]>`(
	select coalesce(json_agg(json_build_object(
		'competitionId', starts.competition_id, 'status', starts.status, 'startFee', starts.start_fee
	) order by competitions.number), '[]')
	from starts join competitions on competitions.id = starts.competition_id
	where starts.entry_id = entries.id
)`.as('starts');

function selectEntries(db: EventsQueryable) {
	return db
		.selectFrom('entries')
		.innerJoin('events', 'events.id', 'entries.event_id')
		.selectAll('entries')
		.select(eventColumns.map((column) => `events.${column}` as const))
		.select('events.status as event_status')
		.select(starts);
}

/** Those of an event that the caller may see, by number unless sorted otherwise. */
export function listEventEntries(
	db: EventsQueryable,
	event: Pick<EventRow, 'id' | 'organiser_club_id'>,
	viewer: EntryViewer & { readonly keptHorses: ReadonlySet<string> },
	query: EventEntriesQuery,
): Promise<Page<Entry>> {
	const { principal, now, keptHorses } = viewer;
	const { status, type, competitionId, riderMemberId, horseId, sort = [] } = query;
	let select = selectEntries(db).where('entries.event_id', '=', event.id);
	if (!mayManage(principal, event.organiser_club_id)) select = select.where(concerns(principal, keptHorses));
	if (status !== undefined) select = select.where(shownEntryStatus(now), '=', status);
	if (type !== undefined) select = select.where('entries.type', '=', type);
	if (riderMemberId !== undefined) select = select.where('entries.rider_member_id', '=', riderMemberId);
	if (horseId !== undefined) select = select.where('entries.horse_id', '=', horseId);
	if (competitionId !== undefined) {
		const starting = sql<boolean>`exists (
			select from starts where starts.entry_id = entries.id and starts.competition_id = ${competitionId}
		)`;
		select = select.where(starting);
	}
	const ordered = sorted(select, sort, ordering).orderBy('entries.entry_number');
	return listPage(ordered, pageRequest(query), (row) => toEntry(row, viewer));
}

/** Over all events, newest first unless sorted otherwise. `scope`: which of them the caller may list. */
export async function listEntries(
	db: EventsQueryable,
	query: EntriesQuery,
	scope: EntryListScope,
	viewer: EntryViewer,
): Promise<Page<Entry>> {
	const { principal, now } = viewer;
	const {
		memberId,
		clubId,
		horseId,
		status,
		open,
		sort = [{ field: 'createdAt', descending: true }],
	} = query;
	let select = db
		.selectFrom('entries')
		.innerJoin('events', 'events.id', 'entries.event_id')
		.select('entries.id');
	if (scope === 'clubs') select = select.where(ridesForClubOf(principal));
	if (clubId !== undefined) select = select.where('entries.rider_club_id', '=', clubId);
	if (status !== undefined) select = select.where(shownEntryStatus(now), '=', status);
	if (memberId !== undefined) select = select.where('entries.rider_member_id', '=', memberId);
	if (horseId !== undefined) select = select.where('entries.horse_id', '=', horseId);
	if (open !== undefined) select = select.where(sql<boolean>`${isOpenEntry(now)} = ${open}`);
	const ordered = sorted(select, sort, ordering).orderBy('entries.id');
	const { items: ids, ...page } = await listPage(ordered, pageRequest(query), ({ id }) => id);
	// Apart, so that the snapshots of all other entries aren't carried along while these are found and counted.
	const rows = ids.length === 0 ? [] : await selectEntries(db).where('entries.id', 'in', ids).execute();
	return { ...page, items: inOrder(ids, rows).map((row) => toEntry(row, viewer)) };
}

/** All of an event, by number. */
export async function allEntriesOf(
	db: EventsQueryable,
	eventId: string,
	viewer: EntryViewer,
): Promise<Entry[]> {
	const rows = await selectEntries(db)
		.where('entries.event_id', '=', eventId)
		.orderBy('entries.entry_number')
		.execute();
	return rows.map((row) => toEntry(row, viewer));
}

/** @throws ApiError NOT_FOUND, also when it is one of another event. */
export async function getEntryRow(
	db: EventsQueryable,
	{ id, entryId }: { readonly id: string; readonly entryId: string },
): Promise<FullEntryRow> {
	const row = await findEntryRow(db, { id, entryId });
	if (row === undefined) throw noSuchEntry();
	return row;
}

/** Undefined when it is one of another event, too. */
export function findEntryRow(
	db: EventsQueryable,
	{ id, entryId }: { readonly id: string; readonly entryId: string },
): Promise<FullEntryRow | undefined> {
	return selectEntries(db)
		.where('entries.event_id', '=', id)
		.where('entries.id', '=', entryId)
		.executeTakeFirst();
}

/** What is told to whom an entry doesn't concern, too. */
export function noSuchEntry() {
	return fail('NOT_FOUND', { message: 'There is no such entry at this event.' });
}

/** Needs the lock on the event. `starts` in the order of the competitions' numbers. */
export async function insertEntry(
	db: EventsQueryable,
	entry: NewEntryRow,
	startsOfIt: readonly Pick<NewStartRow, 'competition_id' | 'start_fee'>[],
): Promise<EntryRow & Pick<FullEntryRow, 'starts'>> {
	const row = await db.insertInto('entries').values(entry).returningAll().executeTakeFirstOrThrow();
	const { id: entry_id, status, horse_id, rider_member_id } = row;
	const rows = startsOfIt.map((start) => ({ ...start, entry_id, status, horse_id, rider_member_id }));
	await db.insertInto('starts').values(rows).execute();
	return { ...row, starts: rows.map(toSelected) };
}

function toSelected({ competition_id, status, start_fee }: NewStartRow): SelectedStart {
	return { competitionId: competition_id, status, startFee: start_fee };
}

/** How an entry ends. */
export interface Ending {
	readonly status: Exclude<EntryStatus, (typeof unendedStatuses)[number]>;
	readonly reason: string | null;
	/** Cents. */
	readonly amountDue: number;
}

/** Needs the lock on the event; the places that it held are free then. */
export async function endEntry(
	db: EventsQueryable,
	entryId: string,
	{ status, reason, amountDue }: Ending,
	now: Date,
): Promise<void> {
	await db
		.updateTable('entries')
		.set({
			status,
			status_reason: reason,
			position: null,
			amount_due: amountDue,
			updated_at: now,
			version: sql`version + 1`,
		})
		.where('id', '=', entryId)
		.execute();
	await db
		.updateTable('starts')
		.set({ status })
		.where('entry_id', '=', entryId)
		.where('status', 'in', unendedStatuses)
		.execute();
}
