import { fullAgeYears } from '@paddock/calendar';
import { actingForMember } from '@paddock/contract';
import {
	actedFor,
	actingMember,
	actsFor,
	isClubOfficial,
	isContactFor,
	isOfficer,
	type Principal,
} from '@paddock/identity';
import type { EntryRow, EventsQueryable } from '../../database-schema.ts';
import {
	type ActingAs,
	type EntryAct,
	type EntrySide,
	type EntryType,
	entrySides,
} from '../../enumerations.ts';
import { mayManage } from '../../events/access.ts';
import type { HorseRecord, MemberRecord } from '../../peers/records.ts';
import type { NewAct } from '../store.ts';

export interface RiderParties {
	readonly riderMemberId: string;
	readonly riderClubId: string | null;
	/** The guardian of a minor, if the guardian is a member. */
	readonly riderGuardianId: string | null;
}

export interface HorseParties {
	/** Member ids: the horse's owners and the person responsible for it. */
	readonly horseKeeperIds: readonly string[];
	readonly horseClubId: string | null;
}

/** All parties of an entry; the row of a stored entry has those of the day of entry. */
export interface EntryParties extends RiderParties, HorseParties {
	readonly organiserClubId: string;
}

/** The rider, a minor's guardian, the club's contact, officials of the home club, the office: they enter, confirm and read findings. */
export function actsForRider(principal: Principal, rider: RiderParties): boolean {
	const { riderMemberId, riderClubId, riderGuardianId } = rider;
	if (isOfficer(principal) || isClubOfficial(principal, riderClubId)) return true;
	if (isContactFor(principal, { id: riderMemberId, clubId: riderClubId })) return true;
	return actsFor(principal, riderMemberId, riderGuardianId);
}

/** The owners, the responsible person, officials of its club, the office: they enter the horse, confirm and read findings. */
export function actsForHorse(principal: Principal, horse: HorseParties): boolean {
	return isOfficer(principal) || isClubOfficial(principal, horse.horseClubId) || keeps(principal, horse);
}

/** Who may create, read and withdraw an entry: who acts for the rider, who keeps the horse, and who manages the event. */
export function isConcerned(principal: Principal, parties: EntryParties): boolean {
	if (mayManage(principal, parties.organiserClubId)) return true;
	return actsForRider(principal, parties) || keeps(principal, parties);
}

/** A caller who acts for the rider also acts for the rider's own horse. */
export function sidesOf(principal: Principal, parties: EntryParties): readonly EntrySide[] {
	const rider = actsForRider(principal, parties);
	const ridersOwn = parties.horseKeeperIds.includes(parties.riderMemberId);
	const horse = actsForHorse(principal, parties) || (rider && ridersOwn);
	return [...(rider ? ['RIDER' as const] : []), ...(horse ? ['HORSE' as const] : [])];
}

/** A late entry is created by the organiser for a rider who is at the show office, and counts at once. */
export function agreeingSides(
	principal: Principal,
	parties: EntryParties,
	type: EntryType,
): readonly EntrySide[] {
	if (type === 'LATE' && mayManage(principal, parties.organiserClubId)) return entrySides;
	return sidesOf(principal, parties);
}

/**
 * The guardian whom a stored entry has, until the rider is of age. Without the day the year counts from its beginning. Must
 * match `isWardOf` of visibility.ts, the same rule in SQL.
 */
export function guardianOn(
	{ riderGuardianId, judgedBy }: Pick<EntryRow, 'riderGuardianId' | 'judgedBy'>,
	now: Date,
): string | null {
	if (judgedBy === null) return null;
	const { riderBirthYear, riderOfAgeAt = `${riderBirthYear + fullAgeYears}-01-01T00:00:00Z` } = judgedBy;
	return now < new Date(riderOfAgeAt) ? riderGuardianId : null;
}

/** The parties of the day of entry that have rights today. */
export function storedParties<Entry extends EntryParties & Pick<EntryRow, 'judgedBy'>>(
	entry: Entry,
	now: Date,
): Entry {
	return { ...entry, riderGuardianId: guardianOn(entry, now) };
}

export function agreedSides(entry: Pick<EntryRow, 'isConfirmed' | 'isHorseConfirmed'>): readonly EntrySide[] {
	return entrySides.filter((side) => (side === 'RIDER' ? entry.isConfirmed : entry.isHorseConfirmed));
}

export function missingSides(agreed: readonly EntrySide[]): readonly EntrySide[] {
	return entrySides.filter((side) => !agreed.includes(side));
}

/** A deleted member has no club any more: only the federation's office sees the record, as in the members context. */
export function riderParties(riderMemberId: string, rider: MemberRecord | undefined): RiderParties {
	if (rider === undefined || rider.status === 'INACTIVE')
		return { riderMemberId, riderClubId: null, riderGuardianId: null };
	return { riderMemberId, riderClubId: rider.homeClubId, riderGuardianId: rider.guardianMemberId };
}

export function horseParties(horse: HorseRecord | undefined): HorseParties {
	if (horse === undefined) return { horseKeeperIds: [], horseClubId: null };
	const { ownerMemberIds, responsibleMemberId, clubId } = horse;
	const keepers = [...ownerMemberIds, ...(responsibleMemberId === null ? [] : [responsibleMemberId])];
	return { horseKeeperIds: [...new Set(keepers)], horseClubId: clubId };
}

/** Whether the caller is, or acts for, an owner of the horse or the person responsible for it. */
export function keeps(
	principal: Principal,
	{ horseKeeperIds }: Pick<HorseParties, 'horseKeeperIds'>,
): boolean {
	return actedFor(principal, horseKeeperIds).length > 0;
}

interface Capacity {
	readonly actingAs: ActingAs;
	/** The member on whose behalf; null for officials, organiser and office. */
	readonly forMemberId: string | null;
}

/** The closest capacity in which the caller acts on an entry of these parties: own rights before those of an office. */
export function capacityOf(principal: Principal, parties: EntryParties): Capacity {
	const { riderMemberId, riderClubId, riderGuardianId, horseKeeperIds } = parties;
	if (principal.memberId === riderMemberId) return { actingAs: 'RIDER', forMemberId: riderMemberId };
	if (actsFor(principal, riderMemberId, riderGuardianId))
		return { actingAs: 'GUARDIAN', forMemberId: riderMemberId };
	if (isContactFor(principal, { id: riderMemberId, clubId: riderClubId }))
		return { actingAs: 'CLUB_CONTACT', forMemberId: riderMemberId };
	if (actedFor(principal, horseKeeperIds).length > 0)
		return { actingAs: 'HORSE', forMemberId: actingMember(principal, horseKeeperIds) ?? null };
	const isOfRidersClub = isClubOfficial(principal, riderClubId);
	if (isOfRidersClub || isClubOfficial(principal, parties.horseClubId))
		return { actingAs: 'CLUB_OFFICIAL', forMemberId: isOfRidersClub ? riderMemberId : null };
	const isOrganiser = principal.roles.includes('ORGANISER') && mayManage(principal, parties.organiserClubId);
	return { actingAs: isOrganiser ? 'ORGANISER' : 'OFFICE', forMemberId: null };
}

/** Notes in the change history for whom the caller acts. Before the transaction: it names the author at its start. */
export function noteActing(principal: Principal, parties: EntryParties): void {
	const { actingAs, forMemberId } = capacityOf(principal, parties);
	if (actingAs !== 'CLUB_OFFICIAL' && forMemberId !== null) actingForMember(forMemberId);
}

interface Acting {
	readonly principal: Principal;
	readonly now: Date;
}

export function actOf(act: EntryAct, parties: EntryParties, { principal, now }: Acting): NewAct {
	return { act, ...capacityOf(principal, parties), actedBy: principal.userId, actedAt: now };
}

/** Records the act in the transaction of the change. */
export async function recordAct(
	db: EventsQueryable,
	entryId: string,
	act: EntryAct,
	parties: EntryParties,
	acting: Acting,
): Promise<void> {
	await db
		.insertInto('entryActs')
		.values({ entryId, ...actOf(act, parties, acting) })
		.execute();
}
