import { apiError } from '@paddock/contract';
import { isOfficer, type Principal } from '@paddock/identity';
import type { CallContext } from '@paddock/peers';
import type { MembersQueryable } from '../database-schema.ts';
import { membersError } from '../errors.ts';
import { findMemberStatus } from '../repository/members.ts';
import { type Rights, rightsOver, type Viewer, viewerOf } from '../rules/member-rights.ts';
import type { WholeMember } from '../schemas/member.ts';

/** The caller of an operation and the time of the request. */
export interface Caller {
	readonly viewer: Viewer;
	readonly userId: string;
	readonly now: Date;
	/** Context for calls to other services. */
	readonly context: CallContext;
	/** The header, for calls in the name of the caller. */
	readonly authorization: string;
}

interface Request extends CallContext {
	readonly principal: Principal;
	readonly now: Date;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Returns the caller's current visibility; reads the state of the caller's own record. */
export async function viewerFor(
	db: MembersQueryable,
	{ principal, now }: Pick<Request, 'principal' | 'now'>,
): Promise<Viewer> {
	const { memberId } = principal;
	const own =
		memberId === undefined || isOfficer(principal) ? undefined : await findMemberStatus(db, memberId, now);
	return viewerOf(principal, own, now);
}

export async function callerOf(db: MembersQueryable, request: Request): Promise<Caller> {
	const { principal, now } = request;
	const { authorization } = request.headers;
	return {
		viewer: await viewerFor(db, { principal, now }),
		userId: principal.userId,
		now,
		context: request,
		authorization: typeof authorization === 'string' ? authorization : '',
	};
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
