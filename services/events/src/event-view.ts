import type { Principal } from '@paddock/identity';
import type { EventsQueryable } from './database-schema.ts';
import type { EventsDeps } from './deps.ts';
import type { CallContext } from './directory/call-context.ts';
import { entryWindow } from './entries/entry-window.ts';
import { mayManage } from './event-access.ts';
import { eventStatus, timesOf } from './event-status.ts';
import { type CountedEventRow, getCountedEventRow, type Viewer } from './repository/events.ts';
import type { Event } from './schemas/event.ts';

interface ViewRequest extends CallContext {
	readonly principal: Principal | undefined;
}

/**
 * Events as the caller may read them. Callers who manage an event see its officials with their member ids. All other
 * callers see role and name, and officials who are members only if they are not deleted and consent to publication; an
 * official without a member id is a name that the organiser published.
 */
export async function eventViews(
	events: readonly Event[],
	request: ViewRequest,
	{ publicity }: Pick<EventsDeps, 'publicity'>,
): Promise<Event[]> {
	const isRun = ({ organiserClubId }: Event) => mayManage(request.principal, organiserClubId);
	const ids = events
		.filter((event) => !isRun(event))
		.flatMap(({ officials }) => officials.flatMap(({ memberId }) => memberId ?? []));
	const namable = ids.length === 0 ? new Set<string>() : await publicity.namable(ids, request);
	const isShown = ({ memberId }: Event['officials'][number]) =>
		memberId === null || memberId === undefined || namable.has(memberId);
	return events.map((event) =>
		isRun(event)
			? event
			: { ...event, officials: event.officials.filter(isShown).map(({ role, name }) => ({ role, name })) },
	);
}

/** `eventViews` for one event. */
export async function eventView(
	event: Event,
	request: ViewRequest,
	deps: Pick<EventsDeps, 'publicity'>,
): Promise<Event> {
	const [view = event] = await eventViews([event], request, deps);
	return view;
}

/** The event as its managers see it. @throws ApiError NOT_FOUND, also for a draft of another organiser. */
export async function getEvent(db: EventsQueryable, id: string, { principal, now }: Viewer): Promise<Event> {
	return toEvent(await getCountedEventRow(db, id, principal), now);
}

/** API representation at that instant. */
export function toEvent(row: CountedEventRow, now: Date): Event {
	const times = timesOf(row);
	const status = eventStatus(row.status, times, now);
	return {
		id: row.id,
		eventNumber: row.event_number,
		name: row.name,
		description: row.description,
		startDate: row.start_date,
		endDate: row.end_date,
		venueId: row.venue_id,
		organiserClubId: row.organiser_club_id,
		ruleset: row.ruleset,
		category: row.category,
		disciplines: row.disciplines,
		isPublic: row.is_public,
		entriesOpenAt: row.entries_open_at?.toISOString() ?? null,
		entryDeadline: row.entry_deadline?.toISOString() ?? null,
		lateEntryUntil: row.late_entry_until?.toISOString() ?? null,
		maxEntries: row.max_entries,
		fees: {
			entryFee: row.entry_fee,
			lateSurcharge: row.late_surcharge,
			stable: row.stable_fee,
			currency: 'EUR',
		},
		officials: [...row.officials],
		venue: {
			id: row.venue_id,
			name: row.venue_name,
			city: row.venue_city,
			stateCode: row.venue_state_code,
			countryCode: row.venue_country_code,
			timeZone: row.venue_time_zone,
		},
		organiserClubName: row.organiser_club_name,
		status,
		entryWindow: entryWindow({ ...times, storedStatus: row.status }, now),
		cancelledReason: row.cancelled_reason,
		// Entries that were still waiting at the end have expired.
		counts: status === 'COMPLETED' ? { ...row.counts, waitlisted: 0 } : row.counts,
		createdAt: row.created_at.toISOString(),
		updatedAt: row.updated_at.toISOString(),
		version: row.version,
	};
}
