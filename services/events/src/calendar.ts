import { dayAfter, timeIn } from '@paddock/calendar';
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import type { EventRow } from './database-schema.ts';

/**
 * Events in iCalendar (RFC 5545), as all-day events. Cancelled events are included with status CANCELLED, so that
 * subscribed calendars mark them. UID and SEQUENCE derive from id and version, so a change replaces the earlier
 * version.
 */
export function calendarText(events: readonly EventRow[]): string {
	const calendar = ical({
		name: 'Paddock events',
		prodId: { company: 'Paddock', product: 'Events', language: 'EN' },
		method: ICalCalendarMethod.PUBLISH,
	});
	for (const event of events) {
		calendar.createEvent({
			id: `${event.id}@paddock`,
			sequence: event.version - 1,
			stamp: event.updated_at,
			created: event.created_at,
			lastModified: event.updated_at,
			allDay: true,
			start: new Date(event.start_date),
			// RFC 5545 §3.6.1: DTEND is the day after the last one.
			end: new Date(dayAfter(event.end_date)),
			summary: `${event.name} (${event.category})`,
			location: [event.venue_name, event.venue_city].filter((part) => part !== null).join(', '),
			description: descriptionOf(event),
			categories: event.disciplines.map((name) => ({ name })),
			status: event.status === 'CANCELLED' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
		});
	}
	return calendar.toString();
}

function descriptionOf(event: EventRow): string {
	const lines = [`Event ${event.event_number}, ${event.organiser_club_name}`];
	if (event.cancelled_reason !== null) lines.push(`Cancelled: ${event.cancelled_reason}`);
	else if (event.entry_deadline !== null)
		lines.push(deadlineText(event.entry_deadline, event.venue_time_zone));
	return lines.join('\n');
}

function deadlineText(instant: Date, timeZone: string): string {
	return `Entries until ${timeIn(timeZone, instant)} (${timeZone})`;
}
