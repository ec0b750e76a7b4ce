import { context } from '../../context.ts';
import { crudRoutes } from '../deps.ts';
import { specimen, specimenBody } from './schemas.ts';
import { specimens } from './store.ts';

export const specimenRoutes = crudRoutes({
	path: context.prefix,
	plural: 'specimens',
	table: specimens,
	record: specimen,
	body: specimenBody,
});
