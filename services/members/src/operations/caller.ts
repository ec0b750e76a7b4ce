import { apiError } from '@paddock/contract';
import type { Principal } from '@paddock/identity';
import type { CallContext } from '@paddock/peers';
import type { MembersQueryable } from '../database-schema.ts';
import { membersError } from '../errors.ts';
import { findMemberStatus } from '../repository/members.ts';
import { isOffice, type Rights, rightsOver, type Viewer, viewerOf } from '../rules/member-rights.ts';
import type { WholeMember } from '../schemas/member.ts';

/** Who wants something done, and when. */
export interface Caller {
	readonly viewer: Viewer;
	readonly userId: string;
	readonly now: Date;
	/** For questions to other contexts. */
	readonly context: CallContext & { readonly authorization: string };
}

interface Request extends CallContext {
	readonly principal: Principal;
	readonly now: Date;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What the caller may see now; reads the state of the caller's own record. */
export async function viewerFor(
	db: MembersQueryable,
	{ principal, now }: Pick<Request, 'principal' | 'now'>,
): Promise<Viewer> {
	const { memberId } = principal;
	const own =
		memberId === undefined || isOffice(principal) ? undefined : await findMemberStatus(db, memberId, now);
	return viewerOf(principal, own, now);
}

export async function callerOf(
	db: MembersQueryable,
	{ principal, now, requestId, signal, traceparent, headers }: Request,
): Promise<Caller> {
	const { authorization } = headers;
	return {
		viewer: await viewerFor(db, { principal, now }),
		userId: principal.userId,
		now,
		context: {
			requestId,
			signal,
			traceparent,
			authorization: typeof authorization === 'string' ? authorization : '',
		},
	};
}

/** A member and in which quality the caller sees it. @throws ApiError NOT_FOUND, also where it is there but not for the caller. */
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
 * The rights with which the caller may write, which are fewer than those to read where the caller's own membership is
 * not active. A member whose approval is pending corrects the own contact data. The office is exempt: its right comes
 * from the office, not from a membership.
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

/** @throws ApiError OUT_OF_SCOPE when an official would bring a member into a club of others, or out of the own one. */
export function requireOwnClub(rights: Rights, viewer: Viewer, homeClubId: string | null): void {
	if (rights === 'office' || rights === 'own') return;
	if (homeClubId !== null && viewer.clubIds.includes(homeClubId)) return;
	throw apiError('OUT_OF_SCOPE', { message: 'The home club must be one of yours.' });
}
