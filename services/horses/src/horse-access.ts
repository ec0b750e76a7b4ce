import { clubsCovered, hasRole, type Principal } from '@paddock/identity';

/** What decides who may do what with a horse. */
export interface HorseTies {
	readonly clubId: string | null;
	readonly responsibleMemberId: string | null;
	/** Of today. */
	readonly owners: readonly { readonly memberId: string | null }[];
}

/** The federation's office, which may do everything. */
export function isOfficer(principal: Principal): boolean {
	return hasRole(principal, 'FEDERATION_OFFICER', 'ADMIN');
}

/** Whether the caller is one of the horse's owners of today or responsible for it. */
export function isOwn(principal: Principal, { responsibleMemberId, owners }: HorseTies): boolean {
	const { memberId } = principal;
	if (memberId === undefined) return false;
	return responsibleMemberId === memberId || owners.some((owner) => owner.memberId === memberId);
}

/** Whether the caller acts as an official for that club; false without a club. */
export function coversClub(principal: Principal, clubId: string | null): boolean {
	return clubId !== null && clubsCovered(principal, 'CLUB_OFFICIAL').includes(clubId);
}

/**
 * Whether the caller may register the horse, change it, request its transfer or report its death; the same people see all that
 * is known of it, all others the sport view.
 */
export function isEntrusted(principal: Principal, horse: HorseTies): boolean {
	return isOfficer(principal) || isOwn(principal, horse) || coversClub(principal, horse.clubId);
}

/**
 * Whether the caller decides alone about the horse's career and who is responsible for it: the office, the person responsible,
 * and an owner who owns the horse alone. One of several owners and officials of the club do not.
 */
export function decidesAlone(principal: Principal, { responsibleMemberId, owners }: HorseTies): boolean {
	const { memberId } = principal;
	if (isOfficer(principal)) return true;
	if (memberId === undefined) return false;
	return responsibleMemberId === memberId || (owners.length === 1 && owners[0]?.memberId === memberId);
}

/**
 * Whether the caller is shown UELN, microchip and passport number of other people's horses. Anyone may register an account,
 * so it must be linked to a member or hold a role that the office has given: organisers check horses by these numbers.
 */
export function seesIdentifiers(principal: Principal): boolean {
	return principal.memberId !== undefined || principal.roles.some((role) => role !== 'MEMBER');
}

/** Whether the caller may bring the horse to that club: an official's rights end at the own clubs. */
export function mayBringTo(principal: Principal, horse: HorseTies, clubId: string | null): boolean {
	return isOfficer(principal) || isOwn(principal, horse) || coversClub(principal, clubId);
}
