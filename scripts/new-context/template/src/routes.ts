import { context } from '../context.ts';
import { crudRoutes } from './deps.ts';
import { specimens } from './repository.ts';
import { specimen, specimenBody } from './schemas.ts';

/** Everything under /api/specimens. */
export const specimensRoutes = crudRoutes({
	path: context.prefix,
	plural: 'specimens',
	table: specimens,
	record: specimen,
	body: specimenBody,
});
