import { apiError } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import { clubsCovered, isOfficer } from '@paddock/identity';
import type { Call, Route } from '@paddock/service';
import { type AuthDeps, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { requireSession } from '../sessions/require-session.ts';
import { lockUser } from '../users/store.ts';
import { confirmLink, declineLink, endLink, readableLink } from './decide-link.ts';
import { listDecidable } from './member-clubs.ts';
import { claimsMax, claimWindowMs } from './rules.ts';
import {
	type ClaimBody,
	claimBody,
	endBody,
	linkQuery,
	linkRequest,
	linkRequestPage,
	linkRequestQuery,
	type MemberLink,
	memberLink,
	memberLinkPage,
	reasonBody,
} from './schemas.ts';
import { countClaims, insertClaim, listLinksOf } from './store.ts';
import { linkOf } from './view.ts';

const path = '/auth/member-links';
const cacheControl = 'no-store';
const deciders = { roles: ['CLUB_OFFICIAL', 'FEDERATION_OFFICER', 'ADMIN'] } as const;
const decisionErrors = [
	'LINK_UNMATCHED',
	'MEMBER_ALREADY_LINKED',
	'ACCOUNT_HAS_MEMBER',
	'MEMBER_OF_AGE',
	'MEMBER_WITHOUT_CLUB',
	'TOO_MANY_LINKS',
] as const;

export const memberLinkRoutes: readonly Route<AuthDeps>[] = [
	route({
		method: 'post',
		writers: 'account',
		path,
		operationId: 'claimMember',
		summary: 'Request to act for a member: as the member, as guardian of a minor, or as contact of the club',
		description:
			'An official of the member’s club or the federation’s office confirms or declines the request. The response is the same whether number and birth date are those of a member, and whether that member has an account.',
		access: 'signedIn',
		body: claimBody,
		output: memberLink,
		status: 201,
		message: 'Requested',
		cacheControl,
		errors: errorsNamed('RATE_LIMITED'),
		handler: claimMember,
	}),
	route({
		method: 'get',
		path,
		operationId: 'listMemberLinks',
		readers: 'account',
		summary: 'List the caller’s links to members, and requests for them',
		description: 'The latest come first. A guardianship ends on the member’s 18th birthday.',
		access: 'signedIn',
		query: linkQuery,
		output: memberLinkPage,
		message: 'Links',
		cacheControl,
		handler: async ({ principal, query, now }, deps) => {
			const { id } = await requireSession(deps, principal);
			const { items, ...page } = await listLinksOf(deps.db, id, query, now);
			return { ...page, items: items.map((row) => linkOf(row, now)) };
		},
	}),
	route({
		method: 'get',
		path: `${path}/{id}`,
		operationId: 'getMemberLink',
		summary: 'Get a link to a member, or the request for one',
		description:
			'For the owner of the account, and for those who decide on it. Before a confirmation it does not show the member.',
		access: 'signedIn',
		output: memberLink,
		message: 'Link',
		etag: 'shownVersion',
		cacheControl: 'private, no-cache',
		readers: readableLink,
		handler: ({ viewer: link, now }) => linkOf(link, now),
	}),
	route({
		method: 'get',
		path: `${path}/requests`,
		operationId: 'listMemberLinkRequests',
		summary: 'List the links that the caller decides on',
		description:
			'Officials get those to members of their clubs, the federation’s office all, with requests that match no member.',
		access: deciders,
		query: linkRequestQuery,
		output: linkRequestPage,
		message: 'Requests',
		cacheControl,
		// The clubs of whose members the caller decides.
		readers: async ({ principal }, deps) => {
			const user = await requireSession(deps, principal);
			const current = { ...principal, roles: user.roles, roleScopes: user.roleScopes };
			return isOfficer(current) ? 'all' : clubsCovered(current, 'CLUB_OFFICIAL');
		},
		handler: (request, deps) => listDecidable(request, request.viewer, deps),
	}),
	route({
		method: 'post',
		writers: 'account',
		path: `${path}/{id}/confirm`,
		operationId: 'confirmMemberLink',
		summary: 'Confirm a request: the account acts for the member',
		description:
			'By an official of the member’s club or the office, never by the owner of the account. Tokens of the account are refused within seconds, with `TOKEN_REVOKED`; a refresh gives one with the new right.',
		access: deciders,
		output: linkRequest,
		message: 'Confirmed',
		precondition: true,
		cacheControl,
		errors: errorsNamed('LINK_NOT_OPEN', ...decisionErrors),
		handler: confirmLink,
	}),
	route({
		method: 'post',
		writers: 'account',
		path: `${path}/{id}/decline`,
		operationId: 'declineMemberLink',
		summary: 'Decline a request',
		access: deciders,
		body: reasonBody,
		output: linkRequest,
		message: 'Declined',
		precondition: true,
		cacheControl,
		errors: errorsNamed('LINK_NOT_OPEN'),
		handler: declineLink,
	}),
	route({
		method: 'post',
		writers: 'account',
		path: `${path}/{id}/end`,
		operationId: 'endMemberLink',
		summary: 'Withdraw a request or end a link',
		description:
			'By the owner of the account, or with a reason by an official of the member’s club or the office. Access tokens with the former right are refused within seconds.',
		access: 'signedIn',
		body: endBody,
		output: memberLink,
		message: 'Ended',
		precondition: true,
		cacheControl,
		handler: endLink,
	}),
];

/** The same work whether the claim matches a member or not; see `findMemberByNumber`. @throws ApiError RATE_LIMITED */
async function claimMember(
	request: Call & { readonly body: ClaimBody },
	deps: AuthDeps,
): Promise<MemberLink> {
	const { body, principal, now } = request;
	await requireSession(deps, principal);
	const match = await deps.memberDirectory.match(body, request);
	const row = await inTransaction(deps.db, async (transaction) => {
		const user = await lockUser(transaction, principal.userId);
		if (user.emailVerifiedAt === null) throw apiError('FORBIDDEN');
		const { count, earliest } = await countClaims(transaction, user.id, now);
		if (count >= claimsMax) {
			const retryAfterMs = (earliest ?? now).getTime() + claimWindowMs - now.getTime();
			throw apiError('RATE_LIMITED', { retryAfterMs });
		}
		return insertClaim(transaction, { ...body, userId: user.id }, match, now);
	});
	return linkOf(row, now);
}
