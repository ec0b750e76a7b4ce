import { LRUCache } from 'lru-cache';
import type { EventsQueryable } from '../database-schema.ts';
import { calendarText } from './calendar.ts';
import { calendarState, listCalendarEvents } from './calendar-events.ts';
import type { CalendarQuery } from './calendar-schemas.ts';

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
	return {
		text: async (query, now) => {
			const key = JSON.stringify([query.discipline, query.stateCode]);
			const checkedAtMs = now.getTime();
			const recent = cached.get(key);
			if (recent !== undefined && isFresh(recent, checkedAtMs)) return recent.text;
			const state = await calendarState(db, query, now);
			const known = cached.get(key);
			const text =
				known?.state === state ? known.text : calendarText(await listCalendarEvents(db, query, now));
			cached.set(key, { checkedAtMs, state, text });
			return text;
		},
	};
}

// If the clock is set back, a calendar must not stay fresh for longer.
function isFresh({ checkedAtMs }: CachedCalendar, nowMs: number): boolean {
	return nowMs >= checkedAtMs && nowMs - checkedAtMs < freshMs;
}
