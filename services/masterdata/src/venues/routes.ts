import { crudRoutes } from '../deps.ts';
import { venue, venueBody } from './schemas.ts';
import { venues } from './store.ts';

export const venueRoutes = crudRoutes({
	path: '/api/masterdata/venues',
	plural: 'venues',
	table: venues,
	record: venue,
	body: venueBody,
	deleting:
		'Its arenas are deleted with it. A venue of an event, drafts included, is taken out of use by `isActive: false`.',
	referencedAs: ({ id }) => ({ type: 'VENUE', id, codes: [] }),
});
