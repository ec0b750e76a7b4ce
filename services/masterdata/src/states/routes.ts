import type { Route } from '@paddock/service';
import { cacheControl, crudRoutes, type MasterdataDeps, route } from '../deps.ts';
import { state, stateBody, stateCount, stateCountQuery } from './schemas.ts';
import { states } from './store.ts';

const path = '/api/masterdata/states';

export const stateRoutes: readonly Route<MasterdataDeps>[] = [
	...crudRoutes({
		path,
		plural: 'states',
		table: states,
		record: state,
		body: stateBody,
		replacing: 'The ISO 3166-2 code of a state in use stays.',
		deleting: 'A state in use is taken out of use by `isActive: false`.',
		referencedAs: ({ id, iso3166_2 }) => ({ type: 'STATE', id, codes: [iso3166_2] }),
	}),
	route({
		method: 'get',
		path: `${path}/count`,
		operationId: 'countStates',
		summary: 'Count the states',
		access: 'public',
		query: stateCountQuery,
		output: stateCount,
		message: 'Number of states',
		etag: 'content',
		cacheControl: cacheControl.list,
		mayLag: true,
		handler: async ({ query }, { db }) => {
			const { pagination } = await states.list(db, { ...query, page: 1, size: 1 }, {});
			return { count: pagination.totalElements };
		},
	}),
];
