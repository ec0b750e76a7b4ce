import type { Queryable } from '@paddock/database';
import type { DB } from './database-schema.generated.ts';

/** Tables of this context, as created by the migrations. */
export type SpecimensSchema = DB;

export type SpecimensQueryable = Queryable<SpecimensSchema>;
