import { apiError } from '@paddock/contract';
import { actingMemberId, type Principal, requireActiveMember } from '@paddock/identity';
import type { Call } from '@paddock/service';
import type { EntryRow, EventRow } from '../../database-schema.ts';
import type { Directory } from '../../peers/directory.ts';
import type { AgeClassReference, HorseReference, MemberReference } from '../../peers/records.ts';
import type { ParticipantIds } from '../places.ts';
import { type EntryParties, horseParties, isConcerned, riderParties } from './sides.ts';

/** Records of other contexts that an entry needs. */
export interface Participants {
	/** Undefined: the id is unknown. */
	readonly rider: MemberReference | undefined;
	readonly horse: HorseReference | undefined;
	/** Of the event's ruleset. */
	readonly ageClasses: readonly AgeClassReference[];
}

/**
 * Calls all services in parallel; checks the caller's own membership along with the rider's.
 * @throws ApiError MEMBER_NOT_ACTIVE; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if a service does not respond.
 */
export async function findParticipants(
	{ riderMemberId, horseId }: ParticipantIds,
	{ ruleset }: Pick<EventRow, 'ruleset'>,
	directory: Pick<Directory, 'members' | 'horses' | 'ageClasses'>,
	caller: Call,
): Promise<Participants> {
	const actingId = actingMemberId(caller.principal);
	const memberIds = actingId === undefined ? [riderMemberId] : [riderMemberId, actingId];
	const [members, horses, ageClasses] = await Promise.all([
		directory.members(memberIds, caller),
		directory.horses([horseId], caller),
		directory.ageClasses(ruleset, caller),
	]);
	requireActiveMember(caller.principal, members);
	return { rider: members.get(riderMemberId), horse: horses.get(horseId), ageClasses };
}

/** The parties of an entry of these participants. */
export function partiesOf(
	event: Pick<EventRow, 'organiserClubId'>,
	{ riderMemberId }: ParticipantIds,
	{ rider, horse }: Participants,
): EntryParties {
	return {
		organiserClubId: event.organiserClubId,
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
	entry: EntryRow,
	event: EventRow,
	directory: Directory,
	caller: Call,
): Promise<PresentParticipants> {
	const participants = await findParticipants(entry, event, directory, caller);
	return { participants, present: partiesOf(event, entry, participants) };
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
