import { crudRoutes } from '../deps.ts';
import { states } from '../repository/states.ts';
import { state, stateBody, statePage } from '../schemas/state.ts';

export const stateRoutes = crudRoutes({
	path: '/api/masterdata/states',
	plural: 'states',
	table: states,
	record: state,
	body: stateBody,
	page: statePage,
	replacing: 'The ISO 3166-2 code of a state in use stays.',
	deleting: 'A state in use is taken out of use by `isActive: false`.',
	reference: ({ id, iso3166_2 }) => ({ type: 'STATE', id, codes: [iso3166_2] }),
});
