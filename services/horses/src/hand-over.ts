import type { HorsesQueryable } from './database-schema.ts';
import type { KnownMember } from './references/member-directory.ts';
import { type HorseChange, updateHorse } from './repository/horses.ts';
import { lapsePendingTransfers } from './repository/transfers.ts';
import type { Horse } from './schemas/horse.ts';
import type { Owner } from './schemas/owner.ts';

/** New owners, and what the members context knows of them. */
export interface NewOwners {
	readonly owners: readonly Owner[];
	readonly members: ReadonlyMap<string, KnownMember>;
}

/**
 * Completes a change of owners on the locked horse: ends the rights that came from owners who left, and what waited for
 * the owners before. The owners are part of the record, so it gets a new version.
 */
export async function handOver(
	db: HorsesQueryable,
	horse: Horse,
	newOwners: NewOwners,
	now: Date,
): Promise<void> {
	await lapsePendingTransfers(db, horse.id, now);
	await updateHorse(db, horse.id, tiesAfter(horse, newOwners), now);
}

/**
 * What becomes of the responsible person and the club when an owner leaves: both were the former owners' choice and give
 * rights over the horse. A responsible person who is among the new owners stays, otherwise the first new owner who is a
 * member becomes responsible; the club stays if it is the home club of a new owner. As long as no owner leaves, both stay.
 */
export function tiesAfter(
	horse: Pick<Horse, 'owners' | 'responsibleMemberId' | 'clubId'>,
	{ owners, members }: NewOwners,
): HorseChange {
	const hasLeft = (former: Owner) => !owners.some((owner) => isSameOwner(owner, former));
	if (!horse.owners.some(hasLeft)) return {};
	const memberIds = owners.map(({ memberId }) => memberId).filter((memberId) => memberId !== null);
	const { responsibleMemberId, clubId } = horse;
	const staysResponsible = responsibleMemberId === null || memberIds.includes(responsibleMemberId);
	const homeClubIds = memberIds.map((memberId) => members.get(memberId)?.homeClubId);
	return {
		responsible_member_id: staysResponsible ? responsibleMemberId : (memberIds[0] ?? null),
		club_id: homeClubIds.includes(clubId) ? clubId : null,
	};
}

function isSameOwner(a: Owner, b: Owner): boolean {
	if (a.memberId !== null || b.memberId !== null) return a.memberId === b.memberId;
	return (
		a.externalParty?.name === b.externalParty?.name &&
		a.externalParty?.countryCode === b.externalParty?.countryCode
	);
}
