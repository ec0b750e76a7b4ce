import { lookupQuery, type Route } from '@paddock/service';
import { type MembersDeps, route } from '../deps.ts';
import { minorsBornAfter } from '../members/checks.ts';
import { clubLookup, memberLookup } from './schemas.ts';
import { lookUpClubs, lookUpMembers } from './store.ts';

const shared = { method: 'get', access: { scope: 'members:lookup' }, query: lookupQuery } as const;

/** For services that validate references of entries or horses to members and clubs. Unknown ids are omitted. */
export const lookupRoutes: readonly Route<MembersDeps>[] = [
	route({
		...shared,
		path: '/internal/members/lookup',
		operationId: 'lookUpMembers',
		summary: 'Look members up, deleted ones too',
		output: memberLookup,
		message: 'Members',
		handler: async ({ query, now }, { db }) => ({
			items: await lookUpMembers(db, query.ids, minorsBornAfter(now), now),
		}),
	}),
	route({
		...shared,
		path: '/internal/clubs/lookup',
		operationId: 'lookUpClubs',
		summary: 'Look clubs up',
		output: clubLookup,
		message: 'Clubs',
		handler: async ({ query }, { db }) => ({ items: await lookUpClubs(db, query.ids) }),
	}),
];
