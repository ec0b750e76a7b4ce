import { alphabetical, type Ordering } from '@paddock/database';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { HorsesSchema } from '../database-schema.ts';
import type { horseSortFields } from '../schemas/horse-query.ts';

export type HorseSelect = SelectQueryBuilder<HorsesSchema, 'horses', object>;

export const horseOrdering: Ordering<(typeof horseSortFields)[number]> = {
	name: alphabetical('name'),
	birthYear: sql.ref('birth_year'),
	breed: alphabetical('breed'),
	sex: sql.ref('sex'),
	registeredOn: sql.ref('registered_on'),
	createdAt: sql.ref('created_at'),
	updatedAt: sql.ref('updated_at'),
};
