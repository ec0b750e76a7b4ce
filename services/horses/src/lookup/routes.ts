import { lookupQuery, type Route } from '@paddock/service';
import { type HorsesDeps, route } from '../deps.ts';
import { sharedViewOf } from '../horses/view.ts';
import { keptResponse, lookupResponse, ownedQuery, ownedResponse } from './schemas.ts';
import { countOwnedHorses, listKeptHorseIds, lookUpHorses } from './store.ts';

const shared = { method: 'get', access: { scope: 'horses:lookup' }, readers: 'services' } as const;

export const internalRoutes: readonly Route<HorsesDeps>[] = [
	route({
		...shared,
		path: '/internal/horses/lookup',
		operationId: 'lookUpHorses',
		summary: 'Look up horses by their ids',
		description: 'Unknown ids are left out; deleted horses are not.',
		query: lookupQuery,
		output: lookupResponse,
		message: 'Horses',
		handler: async ({ query }, { db }) => ({
			items: (await lookUpHorses(db, query.ids)).map(sharedViewOf),
		}),
	}),
	route({
		...shared,
		path: '/internal/horses/owned',
		operationId: 'countOwnedHorses',
		summary: 'Count the horses that a member owns or is responsible for',
		description: 'Deleted and deceased horses do not count; an unknown member has none.',
		query: ownedQuery,
		output: ownedResponse,
		message: 'Horses owned',
		handler: async ({ query }, { db }) => ({ count: await countOwnedHorses(db, query.memberId) }),
	}),
	route({
		...shared,
		path: '/internal/horses/kept',
		operationId: 'listKeptHorses',
		summary: 'List the horses that a member owns or is responsible for',
		description: 'Deleted and deceased horses too: their entries stay the owner’s to read.',
		query: ownedQuery,
		output: keptResponse,
		message: 'Horses kept',
		handler: async ({ query }, { db }) => ({ horseIds: await listKeptHorseIds(db, query.memberId) }),
	}),
];
