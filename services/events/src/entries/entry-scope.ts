import { clubsCovered, type Principal } from '@paddock/identity';
import { mayManage } from '../event-access.ts';

/** Whom an entry concerns. */
export interface EntryParties {
	/** Of the event. */
	readonly organiserClubId: string;
	readonly riderMemberId: string;
	readonly riderClubId: string | null;
	/** Member ids: the horse's owners and the person responsible for it. */
	readonly horseKeeperIds: readonly string[];
}

/**
 * Who may make an entry, see it and withdraw it. A member: as its rider, on whatever horse, or as the horse's owner or
 * responsible person, whoever rides; owners and riders both enter, and either without the other would leave half of the
 * entries to the office. A CLUB_OFFICIAL: the riders of the club. Who runs the event: all of it.
 */
export function isConcerned(principal: Principal, parties: EntryParties): boolean {
	const { memberId } = principal;
	if (mayManage(principal, parties.organiserClubId)) return true;
	if (memberId !== undefined && [parties.riderMemberId, ...parties.horseKeeperIds].includes(memberId))
		return true;
	const { riderClubId } = parties;
	return riderClubId !== null && clubsCovered(principal, 'CLUB_OFFICIAL').includes(riderClubId);
}

/** Owners and responsible person of a horse, each once. */
export function keepersOf(horse: {
	readonly ownerMemberIds: readonly string[];
	readonly responsibleMemberId: string | null;
}): readonly string[] {
	const { ownerMemberIds, responsibleMemberId } = horse;
	return [...new Set([...ownerMemberIds, ...(responsibleMemberId === null ? [] : [responsibleMemberId])])];
}
