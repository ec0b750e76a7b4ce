import type { Route } from '@paddock/service';
import { type HorsesDeps, route } from '../deps.ts';
import { lookUpHorses } from '../repository/lookup.ts';
import { lookupAnswer, lookupQuery } from '../schemas/lookup.ts';
import { tag } from './paths.ts';

/** For other services. */
export const internalRoutes: readonly Route<HorsesDeps>[] = [
	route({
		method: 'get',
		path: '/internal/horses/lookup',
		operationId: 'lookUpHorses',
		tag,
		summary: 'Look up horses by their ids',
		description: 'Unknown ids are left out; removed horses are not.',
		access: { scope: 'horses:lookup' },
		query: lookupQuery,
		output: lookupAnswer,
		message: 'Horses',
		handler: async ({ query }, { db }) => ({ items: await lookUpHorses(db, query.ids) }),
	}),
];
