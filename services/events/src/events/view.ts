import type { Principal } from '@paddock/identity';
import type { CallingRequest } from '@paddock/peers';
import { withInstants } from '@paddock/service';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import { entriesInDoubt } from '../entries/view.ts';
import { mayManage, visibleTo } from './access.ts';
import { entryWindow, eventStatus } from './rules.ts';
import { type CountedEventRow, getCountedEventRow } from './store.ts';
import type { Event } from './view-schemas.ts';

interface Viewer {
	readonly principal: Principal | undefined;
	readonly now: Date;
}

type ViewRequest = CallingRequest & Pick<Viewer, 'principal'>;

/**
 * Who manages an event sees its officials with their member ids. Others see role and name; of members only those who are not
 * deleted and consent. An official without a member id is a name that the organiser published.
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
	return toEvent(await getCountedEventRow(db, id, visibleTo(principal)), now);
}

export async function changedEvent(
	db: EventsQueryable,
	event: Pick<EventRow, 'id' | 'status'>,
	call: { readonly principal: Principal; readonly now: Date },
): Promise<Event> {
	return { ...(await getEvent(db, event.id, call)), ...(await entriesInDoubt(db, event, call)) };
}

export function toEvent(row: CountedEventRow, now: Date): Event {
	// Columns that are no fields of an event are left out of responses.
	const { approval: _, ...columns } = row;
	const { entryFee, lateSurcharge, stableFee: stable, swapFee: swap, currency } = row;
	const status = eventStatus(row, now);
	return {
		...withInstants(columns),
		status,
		statusReason: row.cancelledReason,
		...approvalOf(row),
		entryWindow: entryWindow(row, now),
		fees: { entryFee, lateSurcharge, stable, swap, currency },
		venue: {
			id: row.venueId,
			name: row.venueName,
			city: row.venueCity,
			stateCode: row.venueStateCode,
			countryCode: row.venueCountryCode,
			timeZone: row.venueTimeZone,
		},
		// Entries that were still waiting at the end have expired.
		counts: status === 'COMPLETED' ? { ...row.counts, waitlisted: 0 } : row.counts,
	};
}

/** Until the publication, which only those who manage the event see. */
function approvalOf(row: EventRow): Pick<Event, 'approval'> {
	const { status, submittedAt, approvalRemarks: remarks, approvalWarnings: warnings } = row;
	if (status !== 'DRAFT' || submittedAt === null) return {};
	return { approval: { submittedAt: submittedAt.toISOString(), remarks, warnings } };
}
