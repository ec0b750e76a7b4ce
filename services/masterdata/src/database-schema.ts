import type { NarrowedSchema, Queryable } from '@paddock/database';
import type { AgeClass } from './age-classes/schemas.ts';
import type { Arena } from './arenas/schemas.ts';
import type { DB } from './database-schema.generated.ts';

export type MasterdataSchema = NarrowedSchema<
	DB,
	{ ageClasses: Pick<AgeClass, 'ruleset' | 'category'>; arenas: Pick<Arena, 'type' | 'surface'> }
>;

export type MasterdataQueryable = Queryable<MasterdataSchema>;
