import { countList } from '@paddock/service';
import { type RawBuilder, sql } from 'kysely';
import type { EventsQueryable } from '../database-schema.ts';
import { openStatuses } from '../entries/entry-status.ts';
import { type EventStatus, eventStatuses } from '../event-status.ts';
import type { EventStats } from '../schemas/event-stats.ts';
import { shownEntryStatus } from './entry-visibility.ts';
import { shownStatus, visibleTo } from './event-visibility.ts';
import type { Viewer } from './events.ts';

const activeStatuses = ['PUBLISHED', 'REGISTRATION_OPEN', 'REGISTRATION_CLOSED', 'IN_PROGRESS'] as const;
const upcomingMs = 30 * 86_400_000;

interface EventNumbers {
	total_active: number;
	total_public: number;
	by_status: Readonly<Partial<Record<EventStatus, number>>> | null;
	by_discipline: EventStats['byDiscipline'] | null;
	by_category: EventStats['byCategory'] | null;
	by_month: Readonly<Record<string, number>> | null;
	upcoming: number;
}

interface EntryNumbers {
	total: number;
	late: number;
	withdrawn: number;
	waitlisted: number;
	pending_confirmation: number;
	distinct_riders: number;
	distinct_horses: number;
}

/** Statistics over the events that the viewer may see: one query for the events, one for their entries. */
export async function countEvents(db: EventsQueryable, year: number, viewer: Viewer): Promise<EventStats> {
	const seen = seenIn(year, viewer);
	const { rows: events } = await eventNumbers(seen, viewer).execute(db);
	const { rows: entries } = await entryNumbers(seen, viewer.now).execute(db);
	const [event] = events;
	const [entry] = entries;
	if (event === undefined || entry === undefined) throw new TypeError('An aggregate gave no row.');
	const { distinct_riders, distinct_horses, pending_confirmation, ...entryCounts } = entry;
	return {
		year,
		totalActive: event.total_active,
		totalPublic: event.total_public,
		byStatus: countList('status', eventStatuses, (status) => event.by_status?.[status] ?? 0),
		byDiscipline: event.by_discipline ?? [],
		byCategory: event.by_category ?? [],
		byMonth: countList('month', monthsOf(year), (month) => event.by_month?.[month] ?? 0),
		upcoming30Days: event.upcoming,
		entries: { ...entryCounts, pendingConfirmation: pending_confirmation },
		distinctRiders: distinct_riders,
		distinctHorses: distinct_horses,
	};
}

function seenIn(year: number, { principal, now }: Viewer): RawBuilder<unknown> {
	return sql`
		select id, status, is_public, disciplines, category, start_date, starts_at, ends_at, entry_deadline,
			${shownStatus(now)} as shown
		from events
		where start_date between ${`${year}-01-01`} and ${`${year}-12-31`} and ${visibleTo(principal)}`;
}

function eventNumbers(seen: RawBuilder<unknown>, { principal, now }: Viewer): RawBuilder<EventNumbers> {
	const active = sql`any (${[...activeStatuses]}::text[])`;
	const until = new Date(now.getTime() + upcomingMs);
	return sql<EventNumbers>`
		with seen as (${seen})
		select
			count(*) filter (where shown = ${active}) as total_active,
			count(*) filter (where is_public and status <> 'DRAFT') as total_public,
			(select json_object_agg(shown, n) from (select shown, count(*) as n from seen group by 1) s) as by_status,
			(select json_agg(json_build_object('discipline', discipline, 'count', n) order by discipline) from (
				select discipline, count(*) as n from seen, unnest(disciplines) as discipline group by 1
			) d) as by_discipline,
			(select json_agg(json_build_object('category', category, 'count', n) order by category) from (
				select category, count(*) as n from seen group by 1
			) c) as by_category,
			(select json_object_agg(month, n) from (
				select to_char(start_date, 'YYYY-MM') as month, count(*) as n from seen group by 1
			) m) as by_month,
			(select count(*) from events
				where starts_at > ${now} and starts_at <= ${until}
				and ${visibleTo(principal)} and ${shownStatus(now)} = ${active}
			) as upcoming
		from seen`;
}

function entryNumbers(seen: RawBuilder<unknown>, now: Date): RawBuilder<EntryNumbers> {
	const open = sql`(entries.status = any (${[...openStatuses]}::text[]))`;
	return sql<EntryNumbers>`
		with seen as (${seen})
		select
			count(*) filter (where is_confirmed) as total,
			count(*) filter (where entries.type = 'LATE') as late,
			count(*) filter (where entries.status = 'WITHDRAWN' and is_confirmed) as withdrawn,
			count(*) filter (where ${shownEntryStatus(now)} = 'WAITLISTED') as waitlisted,
			count(*) filter (where ${shownEntryStatus(now)} = 'PENDING_CONFIRMATION') as pending_confirmation,
			count(distinct rider_member_id) filter (where ${open}) as distinct_riders,
			count(distinct horse_id) filter (where ${open}) as distinct_horses
		from entries join seen as events on events.id = entries.event_id`;
}

function monthsOf(year: number): readonly string[] {
	return Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, '0')}`);
}
