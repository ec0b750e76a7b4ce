import { dayInVienna, yearOf } from '@paddock/calendar';
import type { Page } from '@paddock/contract';
import {
	type Database,
	hasChangedSince,
	isOneOf,
	listPage,
	matchesAny,
	statistics,
	statisticsIntervalMs,
	textMatches,
	textQuery,
} from '@paddock/database';
import { countList, pageRequest } from '@paddock/service';
import { type RawBuilder, sql } from 'kysely';
import type { EventRow, EventsQueryable, EventsSchema } from '../database-schema.ts';
import { shownEntryStatus } from '../entries/rights/visibility.ts';
import { type EventStatus, eventStatuses, openStatuses, unendedStatuses } from '../enumerations.ts';
import { openForEntry, shownStatus } from './conditions.ts';
import type { EventQuery } from './query-schemas.ts';
import { type CountedEventRow, type EventScope, eventCounts, isVisible } from './store.ts';
import type { EventStats } from './view-schemas.ts';

const order = {
	defaultSort: ['startDate'],
	alphabetical: ['name'],
	// Events without a deadline come last.
	expressions: { entryDeadline: sql`coalesce(entry_deadline, 'infinity')` },
	indexed: [
		'startDate',
		'endDate',
		'entryDeadline',
		'name',
		'eventNumber',
		'category',
		'createdAt',
		'updatedAt',
	],
} as const;

/** A few ten thousand events are all that a federation has in ten years. */
const sortedMax = 2_000;

/** Matching events that the caller may see. Without `sort`: with `q` prefix matches first, then by first day. */
export async function listEvents(
	db: EventsQueryable,
	query: EventQuery,
	scope: EventScope,
	now: Date,
): Promise<Page<CountedEventRow>> {
	const text = query.q === undefined ? undefined : textQuery(query.q);
	const found = db.selectFrom('events').selectAll().select(eventCounts);
	return listPage(db, matching(db, query, now).where(isVisible(scope)), {
		request: pageRequest(query),
		sort: query.sort,
		order,
		sortedMax,
		countedAlong: text === undefined ? [sql.ref('startDate'), sql.ref('id')] : [],
		rank: text && sql<number>`case when ${matchesAny('searchText', text.start)} then 0 else 1 end`,
		find: (ids) => found.where(isOneOf('id', ids)).execute(),
	});
}

function matching(db: EventsQueryable, query: EventQuery, now: Date) {
	let select = db.selectFrom('events');
	if (query.from !== undefined) select = select.where('endDate', '>=', query.from);
	if (query.to !== undefined) select = select.where('startDate', '<=', query.to);
	if (query.discipline !== undefined)
		select = select.where(sql<boolean>`disciplines && ${query.discipline}::text[]`);
	const { category, ruleset, stateCode: venueStateCode, organiserClubId, venueId } = query;
	for (const [column, values] of Object.entries({
		category,
		ruleset,
		venueStateCode,
		organiserClubId,
		venueId,
	}))
		if (values !== undefined) select = select.where(isOneOf(column, values));
	if (query.status !== undefined)
		select = select
			.where('status', 'in', [...new Set(query.status.flatMap((status) => storedStatuses[status]))])
			// In a form without statistics: the planner would expect hardly any event that is over.
			.where(sql<boolean>`coalesce(${shownStatus(now)} = any (${query.status}::text[]), false)`);
	if (query.updatedSince !== undefined) select = select.where(hasChangedSince(query.updatedSince));
	// What it implies, for the index.
	if (query.openForEntry === true)
		select = select.where('status', '=', 'PUBLISHED').where('endsAt', '>', now);
	if (query.openForEntry !== undefined)
		select = select.where(sql<boolean>`coalesce(${openForEntry(now)}, false) = ${query.openForEntry}`);
	if (query.q !== undefined) select = select.where(textMatches('searchText', textQuery(query.q)));
	return select;
}

/** The stored statuses that can be shown as each status: the shown one depends on the clock, which no index knows. */
const storedStatuses: Readonly<Record<EventStatus, readonly EventRow['status'][]>> = {
	DRAFT: ['DRAFT'],
	SUBMITTED: ['DRAFT'],
	RETURNED: ['DRAFT'],
	PUBLISHED: ['PUBLISHED'],
	REGISTRATION_OPEN: ['PUBLISHED'],
	REGISTRATION_CLOSED: ['PUBLISHED'],
	IN_PROGRESS: ['PUBLISHED'],
	COMPLETED: ['PUBLISHED', 'COMPLETED'],
	CANCELLED: ['CANCELLED'],
};

const activeStatuses = ['PUBLISHED', 'REGISTRATION_OPEN', 'REGISTRATION_CLOSED', 'IN_PROGRESS'] as const;
const upcomingMs = 30 * 86_400_000;

interface EventNumbers
	extends Pick<EventStats, 'totalActive' | 'totalPublic' | 'byDiscipline' | 'byCategory' | 'upcoming30Days'> {
	byStatus: Readonly<Partial<Record<EventStatus, number>>>;
	byMonth: Readonly<Record<string, number>>;
}

type EntryNumbers = Pick<EventStats, 'entries' | 'distinctRiders' | 'distinctHorses'>;

export async function countEvents(
	db: Database<EventsSchema>,
	year: number,
	scope: EventScope,
	now: Date,
): Promise<EventStats> {
	const seers = scope.clubs === 'all' ? 'all' : [scope.isSignedIn, ...[...scope.clubs].sort()].join(' ');
	const events = await statistics(
		db,
		{ key: `events of ${year} ${seers}`, table: 'events', now },
		async (transaction) =>
			onlyRow(await eventNumbers(seenIn(year, scope, now), scope, now).execute(transaction)),
	);
	// Drafts have no entries: clubs that see theirs get the same numbers.
	const published = { isSignedIn: scope.isSignedIn || scope.clubs === 'all', clubs: [] };
	const entries = await statistics(
		db,
		{ key: `entries of ${year} ${published.isSignedIn}`, table: 'entries', now },
		async (transaction) =>
			onlyRow(await entryNumbers(seenIn(year, published, now), now).execute(transaction)),
	);
	const event = events.numbers;
	const countedAt = Math.min(events.countedAt.getTime(), entries.countedAt.getTime());
	return {
		year,
		...event,
		byStatus: countList('status', eventStatuses, (status) => event.byStatus[status] ?? 0),
		byMonth: countList('month', monthsOf(year), (month) => event.byMonth[month] ?? 0),
		...entries.numbers,
		countedAt: new Date(countedAt).toISOString(),
	};
}

/** Before the new year begins, it is counted too: its callers wait for no count. */
const aheadMs = 3 * statisticsIntervalMs;

/** Counts for all callers but officials of clubs, who see some more. */
export async function countThisYear(db: Database<EventsSchema>, now: Date): Promise<void> {
	const years = [now, new Date(now.getTime() + aheadMs)].map((at) => yearOf(dayInVienna(at)));
	for (const year of new Set(years)) {
		await countEvents(db, year, { isSignedIn: false, clubs: [] }, now);
		await countEvents(db, year, { isSignedIn: true, clubs: [] }, now);
		await countEvents(db, year, { isSignedIn: true, clubs: 'all' }, now);
	}
}

function onlyRow<Row>({ rows }: { readonly rows: readonly Row[] }): Row {
	if (rows[0] === undefined) throw new TypeError('An aggregate gave no row.');
	return rows[0];
}

function seenIn(year: number, scope: EventScope, now: Date): RawBuilder<unknown> {
	return sql`
		select id, status, approval, is_public, disciplines, category, start_date, starts_at, ends_at, entry_deadline,
			${shownStatus(now)} as shown
		from events
		where start_date between ${`${year}-01-01`} and ${`${year}-12-31`} and ${isVisible(scope)}`;
}

function eventNumbers(seen: RawBuilder<unknown>, scope: EventScope, now: Date): RawBuilder<EventNumbers> {
	const active = sql`any (${[...activeStatuses]}::text[])`;
	const until = new Date(now.getTime() + upcomingMs);
	return sql<EventNumbers>`
		with seen as (${seen})
		select
			count(*) filter (where shown = ${active}) as total_active,
			count(*) filter (where is_public and status <> 'DRAFT') as total_public,
			${countedBy(sql`shown`)} as by_status,
			${listedBy('discipline', sql`unnest(disciplines)`)} as by_discipline,
			${listedBy('category', sql`category`)} as by_category,
			${countedBy(sql`to_char(start_date, 'YYYY-MM')`)} as by_month,
			(select count(*) from events
				where starts_at > ${now} and starts_at <= ${until}
				and ${isVisible(scope)} and ${shownStatus(now)} = ${active}
			) as "upcoming30Days"
		from seen`;
}

function countedBy(key: RawBuilder<unknown>): RawBuilder<unknown> {
	return sql`(select coalesce(json_object_agg(key, n), '{}') from ${numbersBy(key)})`;
}

function listedBy(name: string, key: RawBuilder<unknown>): RawBuilder<unknown> {
	return sql`(
		select coalesce(json_agg(json_build_object(${sql.lit(name)}, key, 'count', n) order by key), '[]')
		from ${numbersBy(key)}
	)`;
}

function numbersBy(key: RawBuilder<unknown>): RawBuilder<unknown> {
	return sql`(select ${key} as key, count(*) as n from seen group by 1) as numbers`;
}

function entryNumbers(seen: RawBuilder<unknown>, now: Date): RawBuilder<EntryNumbers> {
	const open = sql`(entries.status = any (${[...openStatuses]}::text[]))`;
	return sql<EntryNumbers>`
		with seen as (${seen})
		select
			json_build_object(
				'total', count(*) filter (where is_confirmed),
				'late', count(*) filter (where entries.type = 'LATE'),
				'withdrawn', count(*) filter (where entries.status = 'WITHDRAWN' and is_confirmed),
				'waitlisted', count(*) filter (where ${shownEntryStatus(now)} = 'WAITLISTED'),
				'pendingConfirmation', count(*) filter (where ${shownEntryStatus(now)} = 'PENDING_CONFIRMATION')
			) as entries,
			count(distinct rider_member_id) filter (where ${open}) as distinct_riders,
			count(distinct horse_id) filter (where ${open}) as distinct_horses
		from entries join seen as events on events.id = entries.event_id`;
}

function monthsOf(year: number): readonly string[] {
	return Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, '0')}`);
}

export interface UnsettledEvent extends Pick<EventRow, 'id' | 'startDate' | 'status' | 'ruleset'> {
	/** Whether entries have to be judged again. */
	readonly isInDoubt: boolean;
}

/** As in `promoted`. Most waiting lists are full: their places become free by changes that promote in the same transaction. */
const hasPlaceForWaiting = (now: Date) => sql<boolean>`exists (
	select from entries waiting
	where waiting.event_id = events.id and waiting.status = 'WAITLISTED'
		and not waiting.checks @> '[{"level": "ERROR"}]'
		and (events.max_entries is null or events.max_entries > (
			select count(*) from entries accepted
			where accepted.event_id = events.id and accepted.status = 'ACCEPTED'
		))
		and (events.max_boxes is null or waiting.boxes <= greatest(0, events.max_boxes - (
			select coalesce(sum(accepted.boxes), 0) from entries accepted
			where accepted.event_id = events.id and accepted.status = 'ACCEPTED'
		)))
		and not exists (
			select from starts join competitions on competitions.id = starts.competition_id
			where starts.entry_id = waiting.id and starts.status = any (${[...openStatuses]}::text[])
				and (competitions.status = 'CANCELLED' or competitions.date < (${now} at time zone events.venue_time_zone)::date
					or competitions.max_starters <= (
					select count(*) from starts taken
					where taken.competition_id = competitions.id and taken.status = 'ACCEPTED'
				))
		)
)`;

/** Published events that are not over and have a place for a waiting entry or entries to be judged again, earliest first. */
export function listUnsettledEvents(db: EventsQueryable, now: Date): Promise<UnsettledEvent[]> {
	const inDoubt = sql<boolean>`exists (
		select from entries
		where entries.event_id = events.id and entries.checks @> '[{"code": "NOT_RECHECKED"}]'
			and entries.status = any (${[...unendedStatuses]})
	)`;
	return db
		.selectFrom('events')
		.select(['id', 'startDate', 'status', 'ruleset', inDoubt.as('isInDoubt')])
		.where('status', '=', 'PUBLISHED')
		.where('endsAt', '>', now)
		.where(sql<boolean>`(${inDoubt} or ${hasPlaceForWaiting(now)})`)
		.orderBy('startsAt')
		.execute();
}
