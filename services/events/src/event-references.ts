import { dayAfter, startOfDay } from '@paddock/calendar';
import { apiError, type FieldError } from '@paddock/contract';
import { isClubOfficial, isOfficer, type Principal } from '@paddock/identity';
import type { CallContext } from '@paddock/peers';
import type { Call } from '@paddock/service';
import type { EventRow } from './database-schema.ts';
import type { Directory } from './directory/directory.ts';
import type { MemberReference, VenueReference } from './directory/references.ts';
import type { EventSnapshot } from './repository/event-writes.ts';
import type { EventBody } from './schemas/event-body.ts';

/** The resolved value, or the errors of the field. */
type Found<Value> = { readonly value: Value } | { readonly errors: readonly FieldError[] };

/**
 * Looks up all references of an event in parallel. Unchanged references are not looked up again: an announced event
 * keeps its venue and organiser as stored, and can be changed when other services are down.
 * @throws ApiError VALIDATION_ERROR naming every invalid reference, and deadlines after the last day at the venue;
 * SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if a service does not respond.
 */
export async function eventSnapshot(
	directory: Directory,
	body: EventBody,
	stored: EventRow | undefined,
	context: Call,
): Promise<EventSnapshot> {
	const [venue, club, officials] = await Promise.all([
		findVenue(directory, body, stored, context),
		findClub(directory, body, stored, context),
		refusedOfficials(directory, body, stored, context),
	]);
	const days = 'errors' in venue ? venue : eventDays(body, venue.value.venueTimeZone);
	if ('errors' in venue || 'errors' in club || 'errors' in days || officials.length > 0) {
		const errors = [days, club].flatMap((found) => ('errors' in found ? found.errors : []));
		throw apiError('VALIDATION_ERROR', { errors: [...errors, ...officials] });
	}
	const { venueName, venueCity, venueStateCode, venueCountryCode, venueTimeZone } = venue.value;
	const { organiserClubName } = club.value;
	return {
		venueName,
		venueCity,
		venueStateCode,
		venueCountryCode,
		venueTimeZone,
		organiserClubName,
		...days.value,
	};
}

type Venue = Pick<
	EventSnapshot,
	'venueName' | 'venueCity' | 'venueStateCode' | 'venueCountryCode' | 'venueTimeZone'
>;

async function findVenue(
	directory: Directory,
	{ venueId }: EventBody,
	stored: EventRow | undefined,
	context: CallContext,
): Promise<Found<Venue>> {
	if (stored?.venueId === venueId) return { value: stored };
	const venue = await directory.venue(venueId, context);
	if (venue === undefined || !venue.isActive)
		return unknown('venueId', 'is not the id of a venue of the master data that is in use');
	return { value: venueSnapshot(venue) };
}

/** The columns of an event that store its venue. */
export function venueSnapshot(venue: Omit<VenueReference, 'id' | 'isActive'>): Venue {
	return {
		venueName: venue.name,
		venueCity: venue.address?.city ?? null,
		venueStateCode: venue.stateCode,
		venueCountryCode: venue.countryCode,
		venueTimeZone: venue.timeZone,
	};
}

async function findClub(
	directory: Directory,
	{ organiserClubId }: EventBody,
	stored: EventRow | undefined,
	context: CallContext,
): Promise<Found<{ organiserClubName: string }>> {
	if (stored?.organiserClubId === organiserClubId) return { value: stored };
	const club = (await directory.clubs([organiserClubId], context)).get(organiserClubId);
	if (club?.status !== 'ACTIVE') return unknown('organiserClubId', 'is not the id of an active club');
	return { value: { organiserClubName: club.name } };
}

/**
 * Errors for officials that this caller may not name. Only the federation office learns which id is unknown; all other
 * callers get one error for the whole list, the same for an unknown member and for one that they may not name.
 */
async function refusedOfficials(
	directory: Directory,
	{ officials }: EventBody,
	stored: EventRow | undefined,
	caller: Call,
): Promise<readonly FieldError[]> {
	const { principal } = caller;
	const before = new Set(stored?.officials.map((official) => official.memberId));
	const ids = officials.flatMap(({ memberId }) =>
		memberId === null || before.has(memberId) ? [] : [memberId],
	);
	if (ids.length === 0) return [];
	const known = await directory.members(ids, caller);
	const refused = new Set(ids.filter((id) => !mayName(principal, known.get(id))));
	if (refused.size === 0) return [];
	if (!isOfficer(principal))
		return unknown('officials', 'must name members who consent to be published, or members of your club')
			.errors;
	return officials.flatMap(({ memberId }, index) =>
		memberId === null || !refused.has(memberId)
			? []
			: unknown(`officials[${index}].memberId`, 'is not the id of a member').errors,
	);
}

/**
 * The federation office may name any member; other callers members who consent to publication, members of clubs whose
 * officials they are, and themselves.
 */
function mayName(principal: Principal, member: MemberReference | undefined): boolean {
	if (member === undefined || member.status === 'INACTIVE') return false;
	if (isOfficer(principal) || member.publishResults || member.id === principal.memberId) return true;
	return isClubOfficial(principal, member.homeClubId);
}

/** Start and end instants at the venue, or errors for deadlines after the end. */
function eventDays(
	{ startDate, endDate, entryDeadline, lateEntryUntil }: EventBody,
	timeZone: string,
): Found<Pick<EventSnapshot, 'startsAt' | 'endsAt'>> {
	const endsAt = startOfDay(timeZone, dayAfter(endDate));
	const errors = Object.entries({ entryDeadline, lateEntryUntil }).flatMap(([field, deadline]) =>
		deadline === null || new Date(deadline) < endsAt
			? []
			: [
					{
						field,
						code: 'INVALID_RANGE' as const,
						message: 'must not be after the last day of the event',
					},
				],
	);
	if (errors.length > 0) return { errors };
	return { value: { startsAt: startOfDay(timeZone, startDate), endsAt } };
}

function unknown(field: string, message: string): { readonly errors: readonly FieldError[] } {
	return { errors: [{ field, code: 'INVALID_REFERENCE', message }] };
}
