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

/** What other contexts know about an entry. */
export interface Participants {
	/** Undefined: the id is unknown. */
	readonly rider: MemberReference | undefined;
	readonly horse: HorseReference | undefined;
	/** Of the event's ruleset. */
	readonly ageClasses: readonly AgeClassReference[];
}

/** Whom an entry is about. */
export interface ParticipantIds {
	readonly riderMemberId: string;
	readonly horseId: string;
}

/**
 * Calls all of them at once, and checks the caller's own membership with the rider's.
 * @throws ApiError MEMBER_NOT_ACTIVE; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT where a service doesn't respond.
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

/** Whom an entry of these participants concerns. */
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

/** Participants of a stored entry, and their present parties. */
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
 * Before anything is said about rider or horse. An unknown id concerns a member as little as another's does, so the
 * response doesn't tell whether it exists.
 * @throws ApiError OUT_OF_SCOPE
 */
export function requireConcerned(principal: Principal, parties: EntryParties): void {
	if (isConcerned(principal, parties)) return;
	throw apiError('OUT_OF_SCOPE', {
		message:
			'You may enter yourself, your ward, your own horses, riders of your club, and riders at your own events.',
	});
}
