import type { Principal } from '@paddock/identity';
import type { EntryRow } from '../entry-tables.ts';
import { mayManage } from '../event-access.ts';
import { actsForHorse, actsForRider, type EntryParties } from './entry-scope.ts';
import type { EntryType } from './entry-status.ts';

/** An entry counts once both sides agree. */
export const entrySides = ['RIDER', 'HORSE'] as const;

export type EntrySide = (typeof entrySides)[number];

/** The sides of an entry that the caller acts for. Who acts for the rider does so for the rider's own horse too. */
export function sidesOf(principal: Principal, parties: EntryParties): readonly EntrySide[] {
	const rider = actsForRider(principal, parties);
	const ridersOwn = parties.horseKeeperIds.includes(parties.riderMemberId);
	const horse = actsForHorse(principal, parties) || (rider && ridersOwn);
	return [...(rider ? ['RIDER' as const] : []), ...(horse ? ['HORSE' as const] : [])];
}

/**
 * The sides that agree to an entry by the caller making or confirming it. A late entry is made by the organiser for a rider
 * who is at the show office, and counts at once.
 */
export function agreeingSides(
	principal: Principal,
	parties: EntryParties,
	type: EntryType,
): readonly EntrySide[] {
	if (type === 'LATE' && mayManage(principal, parties.organiserClubId)) return entrySides;
	return sidesOf(principal, parties);
}

/** The sides that have agreed to a stored entry. */
export function agreedSides(
	entry: Pick<EntryRow, 'is_confirmed' | 'is_horse_confirmed'>,
): readonly EntrySide[] {
	return entrySides.filter((side) => (side === 'RIDER' ? entry.is_confirmed : entry.is_horse_confirmed));
}

export function missingSides(agreed: readonly EntrySide[]): readonly EntrySide[] {
	return entrySides.filter((side) => !agreed.includes(side));
}
