import { calendarText } from './calendar.ts';
import type { EventsQueryable } from './database-schema.ts';
import { calendarState, listCalendarEvents } from './repository/calendar-events.ts';
import type { CalendarQuery } from './schemas/calendar.ts';

/** Renders calendars of events; a calendar whose events are unchanged is rendered once. */
export interface EventCalendar {
	/** The VCALENDAR of the events that match the query at that instant, never older than the database. */
	text(query: CalendarQuery, now: Date): Promise<string>;
}

/** Over all cached calendars. One of five thousand events has about three million characters. */
const cachedCharsMax = 8_000_000;

interface CachedCalendar {
	readonly state: string;
	readonly text: string;
}

export function createEventCalendar(db: EventsQueryable): EventCalendar {
	const cached = new Map<string, CachedCalendar>();
	let cachedChars = 0;

	function forget(key: string): void {
		cachedChars -= cached.get(key)?.text.length ?? 0;
		cached.delete(key);
	}

	function remember(key: string, calendar: CachedCalendar): void {
		forget(key);
		cached.set(key, calendar);
		cachedChars += calendar.text.length;
		for (const oldest of cached.keys()) {
			if (cachedChars <= cachedCharsMax) break;
			forget(oldest);
		}
	}

	return {
		text: async (query, now) => {
			const key = JSON.stringify([query.discipline, query.stateCode]);
			const state = await calendarState(db, query, now);
			const known = cached.get(key);
			if (known?.state === state) return known.text;
			const text = calendarText(await listCalendarEvents(db, query, now));
			remember(key, { state, text });
			return text;
		},
	};
}
