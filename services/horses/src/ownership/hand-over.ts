import type { HorsesQueryable } from '../database-schema.ts';
import type { Horse } from '../horses/schemas.ts';
import { type HorseChange, updateHorse } from '../horses/store.ts';
import type { KnownMember } from '../peers/member-directory.ts';
import type { Owner } from './owner-schemas.ts';
import { lapsePendingTransfers } from './transfer-store.ts';

export interface NewOwners {
	readonly owners: readonly Owner[];
	readonly members: ReadonlyMap<string, KnownMember>;
}

/** Ends rights of owners who left, and pending transfers. The owners are part of the record, so its version increases. */
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
 * Both were chosen by the former owners and have rights on the horse. If an owner leaves, the responsible person stays if among the
 * new owners, else it is the first of them who is a member; the club stays if it is the home club of a new owner.
 */
export function tiesAfter(
	horse: Pick<Horse, 'owners' | 'responsibleMemberId' | 'clubId'>,
	{ owners, members }: NewOwners,
): HorseChange {
	if (!hasOwnerLeft(horse.owners, owners)) return {};
	const memberIds = owners.map(({ memberId }) => memberId).filter((memberId) => memberId !== null);
	const { responsibleMemberId, clubId } = horse;
	const staysResponsible = responsibleMemberId === null || memberIds.includes(responsibleMemberId);
	const homeClubIds = memberIds.map((memberId) => members.get(memberId)?.homeClubId);
	return {
		responsibleMemberId: staysResponsible ? responsibleMemberId : (memberIds[0] ?? null),
		clubId: homeClubIds.includes(clubId) ? clubId : null,
	};
}

/** Each new owner stands for one former owner at most: of two external parties of one name, one may have left. */
function hasOwnerLeft(former: readonly Owner[], owners: readonly Owner[]): boolean {
	const left = [...owners];
	return former.some((owner) => {
		const at = left.findIndex((other) => isSameOwner(other, owner));
		if (at !== -1) left.splice(at, 1);
		return at === -1;
	});
}

function isSameOwner(a: Owner, b: Owner): boolean {
	if (a.memberId !== null || b.memberId !== null) return a.memberId === b.memberId;
	return (
		a.externalParty?.name === b.externalParty?.name &&
		a.externalParty?.countryCode === b.externalParty?.countryCode
	);
}
