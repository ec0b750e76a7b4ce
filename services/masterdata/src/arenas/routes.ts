import { crudRoutes } from '../deps.ts';
import { arena, arenaBody } from './schemas.ts';
import { arenas } from './store.ts';

export const arenaRoutes = crudRoutes({
	path: '/api/masterdata/venues/{id}/arenas',
	parameter: 'arenaId',
	plural: 'arenas',
	table: arenas,
	record: arena,
	body: arenaBody,
	deleting: 'An arena of a competition is taken out of use by `isActive: false`.',
	referencedAs: ({ id }) => ({ type: 'ARENA', id, codes: [] }),
});
