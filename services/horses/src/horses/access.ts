import { isClubOfficial, isOfficer, type Principal } from '@paddock/identity';
import type { FindingScope } from './number-store.ts';

/** The fields of a horse that permissions depend on. */
export interface HorseTies {
	readonly clubId: string | null;
	readonly responsibleMemberId: string | null;
	/** Of today. */
	readonly owners: readonly { readonly memberId: string | null }[];
}

/** Whether the caller is a current owner of the horse or responsible for it. */
function isOwn(principal: Principal, { responsibleMemberId, owners }: HorseTies): boolean {
	const { memberId } = principal;
	if (memberId === undefined) return false;
	return responsibleMemberId === memberId || owners.some((owner) => owner.memberId === memberId);
}

/**
 * Whether the caller may register the horse, change it, request its transfer or report its death. These callers read
 * the whole record, all others the sport view.
 */
export function isEntrusted(principal: Principal, horse: HorseTies): boolean {
	return isOfficer(principal) || isOwn(principal, horse) || isClubOfficial(principal, horse.clubId);
}

/**
 * Whether the caller alone may decide on the status of the horse and on its responsible person: the office, the
 * responsible person, and a sole owner; not one of several owners, nor officials of the club.
 */
export function decidesAlone(principal: Principal, horse: HorseTies): boolean {
	const { memberId } = principal;
	return (
		identifiesAlone(principal, horse) || (memberId !== undefined && horse.responsibleMemberId === memberId)
	);
}

/**
 * Whether the caller alone may change what identifies the horse: the office and a sole owner, as with a transfer. Not the
 * responsible person, who is not an owner, nor one of several owners.
 */
export function identifiesAlone(principal: Principal, { owners }: HorseTies): boolean {
	if (isOfficer(principal)) return true;
	const { memberId } = principal;
	return memberId !== undefined && owners.length === 1 && owners[0]?.memberId === memberId;
}

/**
 * Whether the caller may read UELN, microchip and passport number of the horses of others. Registration is open to the
 * public, so the account must be linked to a member or have a role granted by the office: organisers check horses by
 * these numbers.
 */
export function seesIdentifiers(principal: Principal): boolean {
	return principal.memberId !== undefined || principal.roles.some((role) => role !== 'MEMBER');
}

/** The horses and numbers by which the caller may find a horse: removed ones are the office's. */
export function findingScopeOf(principal: Principal): FindingScope {
	return { withRemoved: isOfficer(principal), withIdentifiers: seesIdentifiers(principal) };
}

/** Whether the caller may assign the horse to that club: an official's permissions are limited to the own clubs. */
export function mayBringTo(principal: Principal, horse: HorseTies, clubId: string | null): boolean {
	return isOfficer(principal) || isOwn(principal, horse) || isClubOfficial(principal, clubId);
}
