import { apiError } from '@paddock/contract';
import { isOfficer } from '@paddock/identity';
import type { Call } from '@paddock/service';
import type { MembersQueryable } from '../database-schema.ts';
import { membersError } from '../errors.ts';
import { type Rights, rightsOver, type Viewer, viewerOf } from './rules.ts';
import type { WholeMember } from './schemas.ts';
import { findMemberStatus } from './store.ts';

/** A request with the caller's visibility. */
export interface Caller extends Call {
	readonly viewer: Viewer;
}

/** Returns the caller's current visibility; reads the state of the caller's own record. */
export async function viewerFor(
	db: MembersQueryable,
	{ principal, now }: Pick<Call, 'principal' | 'now'>,
): Promise<Viewer> {
	const { memberId } = principal;
	const own =
		memberId === undefined || isOfficer(principal) ? undefined : await findMemberStatus(db, memberId, now);
	return viewerOf(principal, own, now);
}

export async function callerOf(db: MembersQueryable, call: Call): Promise<Caller> {
	return { ...call, viewer: await viewerFor(db, call) };
}

/**
 * Returns the member with the caller's rights over it.
 * @throws ApiError NOT_FOUND if the member does not exist or the caller may not see it.
 */
export function requireVisible(
	member: WholeMember | undefined,
	viewer: Viewer,
): { member: WholeMember; rights: Rights } {
	const rights = member === undefined ? undefined : rightsOver(viewer, member);
	if (member === undefined || rights === undefined)
		throw apiError('NOT_FOUND', { message: 'There is no such member.' });
	return { member, rights };
}

/**
 * Returns the rights for writing, which are fewer than those for reading if the caller's own membership is not active.
 * A member whose approval is pending may correct the own contact data. The office is exempt: its rights come from the
 * office, not from a membership.
 * @throws ApiError MEMBER_NOT_ACTIVE
 */
export function requireActiveCaller(
	{ memberId, memberStatus }: Viewer,
	rights: Rights,
	target?: Pick<WholeMember, 'id'>,
): Rights {
	if (memberStatus === undefined || memberStatus === 'ACTIVE') return rights;
	if (memberStatus === 'PENDING' && target !== undefined && target.id === memberId) return 'own';
	throw membersError('MEMBER_NOT_ACTIVE');
}

/** @throws ApiError OUT_OF_SCOPE if an official sets a home club outside of the own scope, or none. */
export function requireOwnClub(rights: Rights, viewer: Viewer, homeClubId: string | null): void {
	if (rights === 'office' || rights === 'own') return;
	if (homeClubId !== null && viewer.clubIds.includes(homeClubId)) return;
	throw apiError('OUT_OF_SCOPE', { message: 'The home club must be one of yours.' });
}
