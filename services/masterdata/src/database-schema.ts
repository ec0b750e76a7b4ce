import type { NarrowedSchema, Queryable } from '@paddock/database';
import type { DB } from './database-schema.generated.ts';
import type { AgeClass } from './schemas/age-class.ts';
import type { Arena } from './schemas/arena.ts';

/** Tables of this context, as created by the migrations. */
export type MasterdataSchema = NarrowedSchema<
	DB,
	{ ageClasses: Pick<AgeClass, 'ruleset' | 'category'>; arenas: Pick<Arena, 'type' | 'surface'> }
>;

export type MasterdataQueryable = Queryable<MasterdataSchema>;
