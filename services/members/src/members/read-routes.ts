import { historyRoute } from '@paddock/context';
import type { Page } from '@paddock/contract';
import type { Route } from '@paddock/service';
import { type MembersDeps, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { viewerFor } from './caller.ts';
import { listMembers, searchMembers } from './list-store.ts';
import { memberQuery, memberSearchQuery } from './query-schemas.ts';
import { requireVisible, rightsOver, shownTo, type Viewer } from './rules.ts';
import { type Member, member, memberPage, type WholeMember } from './schemas.ts';
import { getMemberStats, memberStats } from './stats.ts';
import { findMember } from './store.ts';

const path = '/api/members';
// Personal data: shared caches must not store it, and a browser must revalidate it before it is shown again.
const cacheControl = 'private, no-cache';
const whoIsSeen =
	'The federation’s office gets all members, officials their clubs’ members, other callers their own record and those of members under 18 whose guardian they are.';

const reading = { method: 'get', access: 'signedIn', readers: viewerFor, cacheControl } as const;
const list = { ...reading, output: memberPage, mayLag: true, errors: errorsNamed('FORBIDDEN') } as const;

/** Not the contact data: they may be those of the time before the member came to the official's club. */
const clubHistory: ReadonlySet<string> = new Set([
	...['title', 'firstName', 'lastName', 'dateOfBirth', 'gender', 'nationality', 'homeClubId', 'joinDate'],
	...['membershipNumber', 'membershipType', 'federationNumber', 'feiId', 'feePaidForYear'],
	...['status', 'suspendedUntil'],
]);
/** Not the guardian: it may be a former one. */
const ownHistory: ReadonlySet<string> = new Set([
	...clubHistory,
	...['address', 'email', 'phoneNumber', 'consents'],
]);

const historyFields = {
	...Object.fromEntries(
		['street', 'postalCode', 'city', 'countryCode', 'stateCode'].map((name) => [name, `address.${name}`]),
	),
	phone: 'phoneNumber',
	guardianMemberId: 'guardian.memberId',
	publishResultsGiven: 'consents.publishResults.given',
	publishResultsAt: 'consents.publishResults.at',
	newsletterGiven: 'consents.newsletter.given',
	newsletterAt: 'consents.newsletter.at',
};

/** Rows are read after the page was selected: a member that the caller may no longer see is omitted. */
function pageFor(viewer: Viewer, page: Page<WholeMember>): Page<Member> {
	const items = page.items.flatMap((each) => {
		const rights = rightsOver(viewer, each);
		return rights === undefined ? [] : [shownTo(rights, each)];
	});
	return { ...page, items };
}

export const memberReadingRoutes: readonly Route<MembersDeps>[] = [
	route({
		...list,
		path,
		operationId: 'listMembers',
		summary: 'List members',
		description: whoIsSeen,
		query: memberQuery,
		message: 'Members',
		handler: async ({ query, viewer, now }, { db }) =>
			pageFor(viewer, await listMembers(db, query, viewer, now)),
	}),
	route({
		...list,
		path: `${path}/search`,
		operationId: 'searchMembers',
		summary: 'Search members by name, e-mail address or number',
		description: `Case and diacritics don’t matter, and ä is found as ae and as a. Whole numbers come first, then what begins a name, e-mail address or number. ${whoIsSeen}`,
		query: memberSearchQuery,
		message: 'Members found',
		handler: async ({ query, viewer, now }, { db }) =>
			pageFor(viewer, await searchMembers(db, query, viewer, now)),
	}),
	route({
		method: 'get',
		path: `${path}/stats`,
		operationId: 'getMemberStats',
		summary: 'Count members',
		description: 'The federation’s office counts all members, officials those of their clubs.',
		access: { roles: ['CLUB_OFFICIAL', 'FEDERATION_OFFICER', 'ADMIN'] },
		output: memberStats,
		message: 'Member statistics',
		cacheControl,
		mayLag: true,
		readers: viewerFor,
		handler: ({ viewer, now }, { db }) => getMemberStats(db, viewer, now),
	}),
	route({
		...reading,
		path: `${path}/{id}`,
		operationId: 'getMember',
		summary: 'Get a member',
		description: `${whoIsSeen} A member whom the caller may not see is not found. Deleted ones are shown to the office.`,
		output: member,
		message: 'Member',
		// The representation of one version differs for the office, officials and the member.
		etag: 'shownVersion',
		handler: async ({ params, viewer, now }, { db }) => {
			const found = requireVisible(await findMember(db, params.id, now), viewer);
			return shownTo(found.rights, found.member);
		},
	}),
	historyRoute<MembersDeps>({
		tag: 'members',
		recordPath: `${path}/{id}`,
		noun: 'member',
		access: 'signedIn',
		fields: historyFields,
		seen: async ({ params, ...call }, { db }) => {
			const found = requireVisible(await findMember(db, params.id, call.now), await viewerFor(call, { db }));
			if (found.rights === 'office') return 'all';
			return found.rights === 'club' ? clubHistory : ownHistory;
		},
		description:
			'Officials and the member see the changes of the fields that they may read, without reasons and accounts.',
	}),
];
