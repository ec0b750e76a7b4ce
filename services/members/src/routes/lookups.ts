import type { Route } from '@paddock/service';
import { type MembersDeps, route } from '../deps.ts';
import { lookUpClubs, lookUpMembers } from '../repository/lookups.ts';
import { clubLookup, lookupQuery, memberLookup } from '../schemas/lookup.ts';

const access = { scope: 'members:lookup' } as const;

/** For services that validate references of entries or horses to members and clubs. Unknown ids are omitted. */
export const lookupRoutes: readonly Route<MembersDeps>[] = [
	route({
		method: 'get',
		path: '/internal/members/lookup',
		operationId: 'lookUpMembers',
		summary: 'Look members up, deleted ones too',
		access,
		query: lookupQuery,
		output: memberLookup,
		message: 'Members',
		handler: async ({ query, now }, { db }) => ({ items: await lookUpMembers(db, query.ids, now) }),
	}),
	route({
		method: 'get',
		path: '/internal/clubs/lookup',
		operationId: 'lookUpClubs',
		summary: 'Look clubs up',
		access,
		query: lookupQuery,
		output: clubLookup,
		message: 'Clubs',
		handler: async ({ query }, { db }) => ({ items: await lookUpClubs(db, query.ids) }),
	}),
];
