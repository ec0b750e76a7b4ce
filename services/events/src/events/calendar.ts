import { dayAfter, timeIn } from '@paddock/calendar';
import ical, {
	ICalCalendarMethod,
	ICalEventBusyStatus,
	ICalEventStatus,
	ICalEventTransparency,
} from 'ical-generator';
import type { EventRow } from '../database-schema.ts';

/** Interval at which calendar programs fetch the calendar again: REFRESH-INTERVAL (RFC 7986 §5.7), X-PUBLISHED-TTL. */
const refreshSeconds = 3_600;

/**
 * Events in iCalendar (RFC 5545), as all-day events. Cancelled events are included with status CANCELLED, so that
 * subscribed calendars mark them. UID and SEQUENCE derive from id and version, so a change replaces the earlier
 * version. An event does not make the days of subscribers busy: TRANSP (RFC 5545 §3.8.2.7) and Outlook's own property.
 */
export function calendarText(events: readonly EventRow[]): string {
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
