import { setImmediate } from 'node:timers/promises';
import { dayAfter, timeIn } from '@paddock/calendar';
import ical, {
	ICalCalendarMethod,
	ICalEventBusyStatus,
	ICalEventStatus,
	ICalEventTransparency,
} from 'ical-generator';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import { stateCodeFilter } from './query-schemas.ts';
import { discipline } from './schemas.ts';

/** Other parameters are ignored: programs and pages that pass on an address add their own (`fbclid`, `utm_source`). */
export const calendarQuery = z.object({
	discipline: discipline.optional().describe('Events with this discipline.'),
	stateCode: stateCodeFilter.optional(),
});

export type CalendarQuery = z.output<typeof calendarQuery>;

export const calendarDocument = z.string();

/** Interval at which calendar programs fetch the calendar again: REFRESH-INTERVAL (RFC 7986 §5.7), X-PUBLISHED-TTL. */
const refreshSeconds = 3_600;

/**
 * All-day events of RFC 5545, cancelled ones too, so that subscribed calendars mark them. UID and SEQUENCE derive from id and
 * version: a change replaces the earlier one. The days are not busy: TRANSP (RFC 5545 §3.8.2.7) and Outlook's own property.
 */
function calendarText(events: readonly EventRow[]): string {
	const calendar = ical({
		name: 'Paddock events',
		prodId: { company: 'Paddock', product: 'Events', language: 'EN' },
		method: ICalCalendarMethod.PUBLISH,
		ttl: refreshSeconds,
	});
	for (const event of events) {
		calendar.createEvent({
			id: `${event.id}@paddock`,
			sequence: event.version - 1,
			stamp: event.updatedAt,
			created: event.createdAt,
			lastModified: event.updatedAt,
			allDay: true,
			transparency: ICalEventTransparency.TRANSPARENT,
			busystatus: ICalEventBusyStatus.FREE,
			start: new Date(event.startDate),
			// RFC 5545 §3.6.1: DTEND is the day after the last one.
			end: new Date(dayAfter(event.endDate)),
			summary: `${event.name} (${event.category})`,
			location: [event.venueName, event.venueCity].filter((part) => part !== null).join(', '),
			description: descriptionOf(event),
			categories: event.disciplines.map((name) => ({ name })),
			status: event.status === 'CANCELLED' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
		});
	}
	// The package omits the line break after the last line.
	return `${calendar}\r\n`;
}

function descriptionOf(event: EventRow): string {
	const lines = [`Event ${event.eventNumber}, ${event.organiserClubName}`];
	if (event.cancelledReason !== null) lines.push(`Cancelled: ${event.cancelledReason}`);
	else if (event.entryDeadline !== null) lines.push(deadlineText(event.entryDeadline, event.venueTimeZone));
	return lines.join('\n');
}

function deadlineText(instant: Date, timeZone: string): string {
	return `Entries until ${timeIn(timeZone, instant)} (${timeZone})`;
}

/** Renders calendars of events, and caches each until its events change. */
export interface EventCalendar {
	/** The VCALENDAR of the events that match the query, at most a second older than the database. */
	text(query: CalendarQuery, now: Date): Promise<string>;
}

/** Limit over all cached calendars. A calendar of five thousand events has about three million characters. */
const cachedCharsMax = 8_000_000;

/** How long a cached calendar is served before its state is queried again. */
const freshMs = 1_000;

interface CachedCalendar {
	readonly checkedAtMs: number;
	readonly state: string;
	readonly text: string;
}

export function createEventCalendar(db: EventsQueryable): EventCalendar {
	const cached = new LRUCache<string, CachedCalendar>({
		maxSize: cachedCharsMax,
		sizeCalculation: ({ text }) => text.length,
	});
	/** Callers of the same calendar share one rendering. */
	const rendering = new Map<string, Promise<string>>();
	const render = async (key: string, query: CalendarQuery, now: Date): Promise<string> => {
		const state = await calendarState(db, query, now);
		const known = cached.get(key);
		const text = known?.state === state ? known.text : await renderedText(db, query, now);
		cached.set(key, { checkedAtMs: now.getTime(), state, text });
		return text;
	};
	return {
		text: async (query, now) => {
			const key = JSON.stringify([query.discipline, query.stateCode]);
			const checkedAtMs = now.getTime();
			const recent = cached.get(key);
			if (recent !== undefined && isFresh(recent, checkedAtMs)) return recent.text;
			const current = rendering.get(key) ?? render(key, query, now);
			rendering.set(key, current);
			return current.finally(() => rendering.delete(key));
		},
	};
}

/** Batch by batch: a calendar of thousands of events takes seconds, in which the process serves other requests. */
async function renderedText(db: EventsQueryable, query: CalendarQuery, now: Date): Promise<string> {
	const [head = '', end = ''] = calendarText([]).split(endMark);
	const parts = [head];
	let after: EventRow | undefined;
	for (let read = 0; read < eventsMax; read += batchMax) {
		const batch = await listCalendarEvents(db, query, {
			now,
			after,
			limit: Math.min(batchMax, eventsMax - read),
		});
		for (let from = 0; from < batch.length; from += renderedAtOnce) {
			const text = calendarText(batch.slice(from, from + renderedAtOnce));
			parts.push(text.slice(head.length, text.length - endMark.length - end.length));
			await setImmediate();
		}
		after = batch.at(-1);
		if (batch.length < batchMax) break;
	}
	return `${parts.join('')}${endMark}${end}`;
}

const endMark = 'END:VCALENDAR';
const batchMax = 500;
/** Takes some milliseconds. */
const renderedAtOnce = 20;

// If the clock is set back, a calendar must not stay fresh for longer.
function isFresh({ checkedAtMs }: CachedCalendar, nowMs: number): boolean {
	return nowMs >= checkedAtMs && nowMs - checkedAtMs < freshMs;
}

const pastMs = 90 * 86_400_000;
/** Maximum number of events in a calendar; a federation has some hundreds of events a year. */
const eventsMax = 5_000;

interface CalendarPart {
	readonly now: Date;
	/** The last event before this part; undefined for the first one. */
	readonly after: Pick<EventRow, 'id' | 'startDate'> | undefined;
	readonly limit: number;
}

/** Public events that have been published, cancelled ones included, up to 90 days after their end, by first day. */
function listCalendarEvents(
	db: EventsQueryable,
	query: CalendarQuery,
	{ now, after, limit }: CalendarPart,
): Promise<EventRow[]> {
	const all = calendarEvents(db, query, now);
	const rest =
		after === undefined
			? all
			: all.where(sql<boolean>`(start_date, id) > (${after.startDate}::date, ${after.id}::uuid)`);
	return rest.selectAll().orderBy('startDate').orderBy('id').limit(limit).execute();
}

/** A digest of the ids and versions of these events; it changes when the calendar changes. */
async function calendarState(db: EventsQueryable, query: CalendarQuery, now: Date): Promise<string> {
	const digest = sql<string>`count(*) || ' ' || coalesce(sum(hashtextextended(id || ' ' || version, 0)), 0)`;
	const { state } = await calendarEvents(db, query, now).select(digest.as('state')).executeTakeFirstOrThrow();
	return state;
}

function calendarEvents(db: EventsQueryable, { discipline, stateCode }: CalendarQuery, now: Date) {
	let select = db
		.selectFrom('events')
		.where('isPublic', '=', true)
		.where('status', '<>', 'DRAFT')
		.where('endsAt', '>', new Date(now.getTime() - pastMs));
	if (discipline !== undefined) select = select.where(sql<boolean>`disciplines @> array[${discipline}]`);
	if (stateCode !== undefined) select = select.where('venueStateCode', '=', stateCode);
	return select;
}
