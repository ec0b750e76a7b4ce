import { ApiError, apiError } from '@paddock/contract';
import { activePrincipal, membersToCheck, type Principal } from '@paddock/identity';
import type { CallingRequest } from '@paddock/peers';
import type { Call } from '@paddock/service';
import { fullName } from '@paddock/text';
import type { EntryRow, EventRow } from '../../database-schema.ts';
import { type EntrySide, entrySides, type Ruleset } from '../../enumerations.ts';
import type { Directory } from '../../peers/directory.ts';
import type { AgeClassRecord, HorseRecord, MemberRecord } from '../../peers/records.ts';
import type { ParticipantIds } from '../places.ts';
import { type FullEntryRow, noSuchEntry } from '../store.ts';
import { disclosureOfRow } from '../view.ts';
import {
	actsForHorse,
	agreedSides,
	type EntryParties,
	type HorseParties,
	horseParties,
	isConcerned,
	missingSides,
	type RiderParties,
	riderParties,
	sidesOf,
	storedParties,
} from './sides.ts';

export interface Participants {
	/** Undefined: the id is unknown. */
	readonly rider: MemberRecord | undefined;
	readonly horse: HorseRecord | undefined;
	readonly ageClasses: readonly AgeClassRecord[];
	/** Of the age classes. */
	readonly ruleset: Ruleset;
	/** The name of the calling member; undefined for an account without one. */
	readonly callerName: string | undefined;
	/** The caller, without represented members who are not active. */
	readonly acting: Principal;
}

/** Calls all services in parallel. @throws ApiError, errors of peer calls. */
export async function findParticipants(
	{ riderMemberId, horseId }: ParticipantIds,
	{ ruleset }: Pick<EventRow, 'ruleset'>,
	directory: Pick<Directory, 'members' | 'horses' | 'ageClasses'>,
	caller: Call,
): Promise<Participants> {
	const { memberId } = caller.principal;
	const checked = membersToCheck(caller.principal);
	const memberIds = [riderMemberId, ...(memberId === undefined ? [] : [memberId]), ...checked];
	const [members, horses, ageClasses] = await Promise.all([
		directory.members(memberIds, caller),
		directory.horses([horseId], caller),
		directory.ageClasses(ruleset, caller),
	]);
	const acting = activePrincipal(caller.principal, members);
	const self = memberId === undefined ? undefined : members.get(memberId);
	const callerName = self === undefined ? undefined : fullName(self);
	const rider = members.get(riderMemberId);
	return { rider, horse: horses.get(horseId), ageClasses, ruleset, callerName, acting };
}

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

/** Before any finding is returned: an unknown id is refused like another member's. @throws ApiError OUT_OF_SCOPE */
export function requireConcerned(principal: Principal, parties: EntryParties): void {
	if (isConcerned(principal, parties)) return;
	throw apiError('OUT_OF_SCOPE', {
		message:
			'You may enter yourself, your ward, your own horses, riders of your club, and riders at your own events.',
	});
}

type Caller = Pick<Call, 'principal' | 'now'>;
type Directories = Pick<Directory, 'members' | 'horses'>;

/** @throws ApiError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if members do not respond. */
export async function presentRider(
	{ riderMemberId: id }: FullEntryRow,
	{ members }: Pick<Directory, 'members'>,
	context: CallingRequest,
): Promise<RiderParties> {
	return riderParties(id, (await members([id], context)).get(id));
}

/** @throws ApiError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if the horse registry does not respond. */
export async function presentHorse(
	{ horseId: id }: FullEntryRow,
	{ horses }: Pick<Directory, 'horses'>,
	context: CallingRequest,
): Promise<HorseParties> {
	return horseParties((await horses([id], context)).get(id));
}

/** Guardian, club or owner may have changed since the day of entry. @throws ApiError, errors of peer calls. */
export async function presentParties(
	entry: FullEntryRow,
	directory: Directories,
	context: CallingRequest,
): Promise<EntryParties> {
	const [rider, horse] = await Promise.all([
		presentRider(entry, directory, context),
		presentHorse(entry, directory, context),
	]);
	return { organiserClubId: entry.organiserClubId, ...rider, ...horse };
}

/**
 * The present parties. Undefined if those of the day of entry decide what is disclosed: the caller acts for the rider by them, or
 * members or horses do not respond. @throws ApiError NOT_FOUND
 */
export async function readingParties(
	entry: FullEntryRow,
	caller: Call,
	directory: Directories,
): Promise<EntryParties | undefined> {
	const { principal, log, now } = caller;
	if (disclosureOfRow(entry, { principal, now }).rider) return undefined;
	const present = await presentParties(entry, directory, caller).catch((error: unknown) => {
		if (!(error instanceof ApiError)) throw error;
		log.warn('present parties unknown, entry readable as on the day of entry', { code: error.code });
		return undefined;
	});
	const parties = [storedParties(entry, now), ...(present === undefined ? [] : [present])];
	if (!parties.some((of) => isReadable(principal, entry, of))) throw noSuchEntry();
	return present;
}

/** By the parties then or now: a buyer reads all entries of the horse, a seller those of the time of ownership. */
function isReadable(principal: Principal, entry: FullEntryRow, parties: EntryParties): boolean {
	return isConcerned(principal, parties) || (!entry.isHorseConfirmed && actsForHorse(principal, parties));
}

/** NOT_FOUND for a caller who may not read the entry: that a rider is entered is private. @throws ApiError, also OUT_OF_SCOPE */
export function refuse({ principal, now }: Caller, entry: FullEntryRow, message: string): never {
	if (!isReadable(principal, entry, storedParties(entry, now))) throw noSuchEntry();
	throw apiError('OUT_OF_SCOPE', { message });
}

const deciders: Readonly<Record<EntrySide, string>> = {
	RIDER: 'the rider, a guardian or the home club',
	HORSE: 'an owner of the horse, the person responsible for it or its club',
};

/** Either side if no confirmation is missing. @throws ApiError NOT_FOUND, OUT_OF_SCOPE */
export function requireMissingSide(caller: Caller, entry: FullEntryRow, present: EntryParties): void {
	const missing = missingSides(agreedSides(entry));
	const deciding = missing.length === 0 ? entrySides : missing;
	if (sidesOf(caller.principal, present).some((side) => deciding.includes(side))) return;
	refuse(
		caller,
		entry,
		`This entry is confirmed or declined by ${deciding.map((side) => deciders[side]).join(', and by ')}.`,
	);
}
