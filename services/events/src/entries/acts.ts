import { actingForMember } from '@paddock/contract';
import {
	actedFor,
	actingMember,
	actsFor,
	isClubOfficial,
	isContactFor,
	type Principal,
} from '@paddock/identity';
import type { EventsQueryable } from '../database-schema.ts';
import type { ActingAs, EntryAct } from '../enumerations.ts';
import { mayManage } from '../events/access.ts';
import type { EntryParties } from './rights/sides.ts';
import type { NewAct } from './store.ts';

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
