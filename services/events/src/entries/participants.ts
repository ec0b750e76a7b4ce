import { apiError } from '@paddock/contract';
import type { Principal } from '@paddock/identity';
import { actingMemberId, requireActiveMember } from '../acting-member.ts';
import type { EventRow } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import type { CallContext } from '../directory/call-context.ts';
import type { AgeClassReference } from '../directory/masterdata.ts';
import type { HorseReference, MemberReference } from '../directory/references.ts';
import type { FullEntryRow } from '../repository/entries.ts';
import { type EntryParties, horseParties, isConcerned, riderParties } from './entry-scope.ts';

/** Records of other contexts that an entry needs. */
export interface Participants {
	/** Undefined: the id is unknown. */
	readonly rider: MemberReference | undefined;
	readonly horse: HorseReference | undefined;
	/** Of the event's ruleset. */
	readonly ageClasses: readonly AgeClassReference[];
}

/** Rider and horse of an entry. */
export interface ParticipantIds {
	readonly riderMemberId: string;
	readonly horseId: string;
}

/**
 * Calls all services in parallel; checks the caller's own membership along with the rider's.
 * @throws ApiError MEMBER_NOT_ACTIVE; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if a service does not respond.
 */
export async function findParticipants(
	{ riderMemberId, horseId }: ParticipantIds,
	{ ruleset }: Pick<EventRow, 'ruleset'>,
	{ directory, masterdata }: Pick<EventsDeps, 'directory' | 'masterdata'>,
	{ principal, ...context }: CallContext & { readonly principal: Principal },
): Promise<Participants> {
	const actingId = actingMemberId(principal);
	const memberIds = actingId === undefined ? [riderMemberId] : [riderMemberId, actingId];
	const [members, horses, ageClasses] = await Promise.all([
		directory.members(memberIds, context),
		directory.horses([horseId], context),
		masterdata.ageClasses(ruleset, context),
	]);
	requireActiveMember(principal, members);
	return { rider: members.get(riderMemberId), horse: horses.get(horseId), ageClasses };
}

/** The parties of an entry of these participants. */
export function partiesOf(
	event: Pick<EventRow, 'organiser_club_id'>,
	{ riderMemberId }: ParticipantIds,
	{ rider, horse }: Participants,
): EntryParties {
	return {
		organiserClubId: event.organiser_club_id,
		...riderParties(riderMemberId, rider),
		...horseParties(horse),
	};
}

/** Participants of a stored entry, and its current parties. */
export interface PresentParticipants {
	readonly participants: Participants;
	readonly present: EntryParties;
}

/** @throws ApiError as `findParticipants`. */
export async function participantsOf(
	entry: FullEntryRow,
	event: EventRow,
	deps: Pick<EventsDeps, 'directory' | 'masterdata'>,
	request: CallContext & { readonly principal: Principal },
): Promise<PresentParticipants> {
	const ids = { riderMemberId: entry.rider_member_id, horseId: entry.horse_id };
	const participants = await findParticipants(ids, event, deps, request);
	return { participants, present: partiesOf(event, ids, participants) };
}

/**
 * Must run before any finding about rider or horse is returned. An unknown id is refused like another member's, so that
 * the response does not disclose whether it exists.
 * @throws ApiError OUT_OF_SCOPE
 */
export function requireConcerned(principal: Principal, parties: EntryParties): void {
	if (isConcerned(principal, parties)) return;
	throw apiError('OUT_OF_SCOPE', {
		message:
			'You may enter yourself, your ward, your own horses, riders of your club, and riders at your own events.',
	});
}
