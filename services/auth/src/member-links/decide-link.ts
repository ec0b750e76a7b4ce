import { apiError, refuseInvalid } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import { type RecordCall, requireVersion } from '@paddock/service';
import type { AuthQueryable, MemberLinkRow } from '../database-schema.ts';
import type { AuthDeps } from '../deps.ts';
import { authError } from '../errors.ts';
import { enqueueAccountMail } from '../mails/account-mail.ts';
import { linkConfirmedMail, linkDeclinedMail } from '../mails/notices.ts';
import type { LinkedMember } from '../peers/members.ts';
import { requireSession } from '../sessions/require-session.ts';
import { lockUser, type User } from '../users/store.ts';
import { keepMemberClubs, presentClub } from './member-clubs.ts';
import {
	confirmedTerms,
	currentLink,
	decidesOn,
	requireOrdinaryAccount,
	requireOtherAccount,
	requireRoom,
} from './rules.ts';
import type { LinkRequest, MemberLink } from './schemas.ts';
import { changeLink, findLink, findRepresented, getWithAccount, reviseAccount } from './store.ts';
import { linkOf, requestOf } from './view.ts';

/**
 * Confirms a request:
 *  1. look up the member as it is now, before any lock
 *  2. lock the account, then the link is checked again
 *  3. change the link, then the account, whose tokens with the former links are revoked
 * @throws ApiError NOT_FOUND, FORBIDDEN, LINK_NOT_OPEN, LINK_UNMATCHED, MEMBER_ALREADY_LINKED, ACCOUNT_HAS_MEMBER,
 * MEMBER_OF_AGE, MEMBER_WITHOUT_CLUB, TOO_MANY_LINKS; errors of `memberDirectory`
 */
export async function confirmLink(call: RecordCall, deps: AuthDeps): Promise<LinkRequest> {
	const { principal, now, log } = call;
	const member = await decidable(call, deps); // 1
	const decided = await changing(call, deps, async (transaction, link, user) => {
		requireVersion(call.preconditions, link.version); // 2
		requireOpen(link, now);
		if (member === undefined || member.status === 'INACTIVE') throw authError('LINK_UNMATCHED');
		if (user.status !== 'ACTIVE') throw authError('LINK_NOT_OPEN', { context: { linkStatus: link.status } });
		const { relationship } = link;
		if (relationship === 'SELF' && user.memberId !== null) throw authError('ACCOUNT_HAS_MEMBER');
		const terms = confirmedTerms(relationship, member, now);
		const decision = { status: 'CONFIRMED', decidedBy: principal.userId, decidedAt: now, ...terms } as const;
		await changeLink(transaction, link, decision, now); // 3
		await enqueueAccountMail({ ...deps, transaction }, linkConfirmedMail, { userId: user.id, relationship });
		requireRoom(await findRepresented(transaction, user.id, now));
		await reviseAccount(
			transaction,
			user,
			relationship === 'SELF' ? { memberId: member.id } : undefined,
			now,
		);
	});
	log.info('a link to a member was confirmed', { linkId: decided.id, by: principal.userId });
	return requestOf(decided, member, now);
}

/** @throws ApiError NOT_FOUND, FORBIDDEN, LINK_NOT_OPEN; errors of `memberDirectory` */
export async function declineLink(
	call: RecordCall<{ readonly reason: string }>,
	deps: AuthDeps,
): Promise<LinkRequest> {
	const { principal, now, body } = call;
	const member = await decidable(call, deps);
	const decided = await changing(call, deps, async (transaction, link, user) => {
		requireVersion(call.preconditions, link.version);
		requireOpen(link, now);
		const decision = { status: 'DECLINED', decidedBy: principal.userId, decidedAt: now } as const;
		const { reason } = body;
		await changeLink(transaction, link, { ...decision, reason }, now);
		const notice = { userId: user.id, relationship: link.relationship, reason };
		await enqueueAccountMail({ ...deps, transaction }, linkDeclinedMail, notice);
	});
	return requestOf(decided, member, now);
}

/**
 * Withdraws a request or ends a confirmed link: by the owner of the account, or with a reason by those who decide on it.
 * Idempotent.
 * @throws ApiError NOT_FOUND, VALIDATION_ERROR without a reason; errors of `memberDirectory`
 */
export async function endLink(
	call: RecordCall<{ readonly reason: string | null }>,
	deps: AuthDeps,
): Promise<MemberLink> {
	const { params, principal, now } = call;
	const { reason } = call.body;
	await requireSession(deps, principal);
	const seen = await findLink(deps.db, params.id);
	const isOwn = seen?.userId === principal.userId;
	if (!isOwn) {
		await decidable(call, deps);
		if (reason === null) refuseInvalid([{ field: 'reason', code: 'REQUIRED', message: 'is required' }]);
	}
	const ended = await changing(call, deps, async (transaction, link, user) => {
		const { status } = currentLink(link, now);
		if (status === 'DECLINED' || status === 'ENDED') return;
		requireVersion(call.preconditions, link.version);
		const end = { status: 'ENDED', endedBy: principal.userId, endedAt: now, reason } as const;
		await changeLink(transaction, link, end, now);
		if (status !== 'CONFIRMED') return;
		await reviseAccount(
			transaction,
			user,
			link.relationship === 'SELF' ? { memberId: null } : undefined,
			now,
		);
	});
	return linkOf(ended, now);
}

/** For the owner of the account and those who decide on the link. @throws ApiError NOT_FOUND; errors of `memberDirectory` */
export async function readableLink(call: RecordCall, deps: AuthDeps): Promise<MemberLinkRow> {
	const { id } = await requireSession(deps, call.principal);
	const link = await findLink(deps.db, call.params.id);
	if (link?.userId !== id) await decidable(call, deps);
	if (link === undefined) throw noSuchLink();
	return link;
}

/**
 * The member of a link that the caller decides on, as it is now; undefined if the link matches none.
 * @throws ApiError NOT_FOUND, the same for an unknown link as for one of another club; FORBIDDEN for an own request.
 */
async function decidable(call: RecordCall, deps: AuthDeps): Promise<LinkedMember | undefined> {
	const { params, principal } = call;
	const current = await requireSession(deps, principal);
	const link = await findLink(deps.db, params.id);
	if (link === undefined) throw noSuchLink();
	const memberIds = link.memberId === null ? [] : [link.memberId];
	const members = await deps.memberDirectory.members(memberIds, call);
	const clubId = presentClub(link, members);
	if (clubId !== link.memberClubId) await keepMemberClubs(deps.db, memberIds, members);
	const decider = { ...principal, roles: current.roles, roleScopes: current.roleScopes };
	if (!decidesOn(decider, clubId)) throw noSuchLink();
	requireOtherAccount(principal, link);
	return members.get(link.memberId ?? '');
}

async function changing(
	{ params, principal }: RecordCall,
	deps: AuthDeps,
	change: (transaction: AuthQueryable, link: MemberLinkRow, user: User) => Promise<void>,
) {
	return inTransaction(deps.db, async (transaction) => {
		const seen = await findLink(transaction, params.id);
		if (seen === undefined) throw noSuchLink();
		const user = await lockUser(transaction, seen.userId);
		if (user.id !== principal.userId) requireOrdinaryAccount(principal, user);
		const link = await findLink(transaction, params.id);
		if (link === undefined) throw noSuchLink();
		await change(transaction, link, user);
		return getWithAccount(transaction, params.id);
	});
}

function requireOpen(link: MemberLinkRow, now: Date): void {
	const { status } = currentLink(link, now);
	if (status !== 'REQUESTED') throw authError('LINK_NOT_OPEN', { context: { linkStatus: status } });
}

function noSuchLink() {
	return apiError('NOT_FOUND', { message: 'There is no such link.' });
}
