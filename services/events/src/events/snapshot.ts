import { dayAfter, startOfDay } from '@paddock/calendar';
import { apiError, type FieldError, refuseInvalid } from '@paddock/contract';
import { actsFor, isClubOfficial, isOfficer, type Principal } from '@paddock/identity';
import type { Call } from '@paddock/service';
import type { EventRow } from '../database-schema.ts';
import type { Directory } from '../peers/directory.ts';
import type { MemberRecord, VenueRecord } from '../peers/records.ts';
import type { EventBody } from './schemas.ts';
import type { EventSnapshot } from './store.ts';

/** An announced event keeps its venue, and can be changed while other services are down. @throws ApiError, errors of peer calls. */
export async function eventSnapshot(
	directory: Directory,
	body: EventBody,
	stored: EventRow | undefined,
	context: Call,
): Promise<EventSnapshot> {
	const { venueId, organiserClubId } = body;
	const findVenue = async () => {
		const found = await directory.venue(venueId, context);
		return found?.isActive ? venueSnapshot(found) : undefined;
	};
	const findClubName = async () => {
		const club = (await directory.clubs([organiserClubId], context)).get(organiserClubId);
		return club?.status === 'ACTIVE' ? club.name : undefined;
	};
	const [venue, organiserClubName, officials] = await Promise.all([
		stored?.venueId === venueId ? stored : findVenue(),
		stored?.organiserClubId === organiserClubId ? stored.organiserClubName : findClubName(),
		refusedOfficials(directory, body, stored, context),
	]);
	const errors = [
		...(venue === undefined ? [unknownVenue] : deadlineErrors(body, venue.venueTimeZone)),
		...(organiserClubName === undefined ? [unknownClub] : []),
		...officials,
	];
	if (venue === undefined || organiserClubName === undefined || errors.length > 0)
		throw apiError('VALIDATION_ERROR', { errors });
	return snapshotOf(venue, organiserClubName, body);
}

/**
 * The snapshot of the locked row. Another request may have changed the venue, the organiser or the days since the look-up, so only
 * what this request changes comes from there. @throws ApiError VALIDATION_ERROR for a deadline after the last day
 */
export function snapshotOnto(stored: EventRow, body: EventBody, lookedUp: EventSnapshot): EventSnapshot {
	const venue = body.venueId === stored.venueId ? stored : lookedUp;
	const { organiserClubName } = body.organiserClubId === stored.organiserClubId ? stored : lookedUp;
	refuseInvalid(deadlineErrors(body, venue.venueTimeZone));
	return snapshotOf(venue, organiserClubName, body);
}

function snapshotOf(
	{ venueName, venueCity, venueStateCode, venueCountryCode, venueTimeZone }: Venue,
	organiserClubName: string,
	days: Pick<EventBody, 'startDate' | 'endDate'>,
): EventSnapshot {
	return {
		venueName,
		venueCity,
		venueStateCode,
		venueCountryCode,
		venueTimeZone,
		organiserClubName,
		...eventInstants(days, venueTimeZone),
	};
}

/** The first instant of an event, and the first after it. */
export function eventInstants(days: Pick<EventBody, 'startDate' | 'endDate'>, timeZone: string) {
	return { startsAt: startOfDay(timeZone, days.startDate), endsAt: endOf(days, timeZone) };
}

const unknownVenue = unknown('venueId', 'is not the id of a venue of the master data that is in use');
const unknownClub = unknown('organiserClubId', 'is not the id of an active club');

type Venue = Omit<EventSnapshot, 'organiserClubName' | 'startsAt' | 'endsAt'>;

export function venueSnapshot(venue: Omit<VenueRecord, 'id' | 'isActive'>): Venue {
	return {
		venueName: venue.name,
		venueCity: venue.address?.city ?? null,
		venueStateCode: venue.stateCode,
		venueCountryCode: venue.countryCode,
		venueTimeZone: venue.timeZone,
	};
}

/** Only the office learns which id is unknown; others get one error, the same for an unknown member as for one that they may not name. */
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
		return [unknown('officials', 'must name members who consent to be published, or members of your club')];
	return officials.flatMap(({ memberId }, index) =>
		memberId === null || !refused.has(memberId)
			? []
			: unknown(`officials[${index}].memberId`, 'is not the id of a member'),
	);
}

/** The office names any member; others those who consent to publication, members of their clubs, and themselves. */
function mayName(principal: Principal, member: MemberRecord | undefined): boolean {
	if (member === undefined || member.status === 'INACTIVE') return false;
	if (isOfficer(principal) || member.publishResults || actsFor(principal, member.id)) return true;
	return isClubOfficial(principal, member.homeClubId);
}

/** Errors of deadlines after the end of the event at the venue. */
export function deadlineErrors(
	body: Pick<EventBody, 'endDate' | 'entryDeadline' | 'lateEntryUntil'>,
	timeZone: string,
): readonly FieldError[] {
	const { entryDeadline, lateEntryUntil } = body;
	const endsAt = endOf(body, timeZone);
	return Object.entries({ entryDeadline, lateEntryUntil })
		.filter(([, deadline]) => deadline !== null && new Date(deadline) >= endsAt)
		.map(([field]) => ({
			field,
			code: 'INVALID_RANGE',
			message: 'must not be after the last day of the event',
		}));
}

function endOf({ endDate }: Pick<EventBody, 'endDate'>, timeZone: string): Date {
	return startOfDay(timeZone, dayAfter(endDate));
}

function unknown(field: string, message: string): FieldError {
	return { field, code: 'INVALID_REFERENCE', message };
}
