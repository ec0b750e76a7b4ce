import type { Queryable } from '@paddock/database';
import type { Generated } from 'kysely';

interface SpecimensTable {
	id: Generated<string>;
	name: string;
	city: string | null;
	isActive: boolean;
	isDemo: Generated<boolean>;
	/** See `searchLines`. */
	searchText: string;
	version: Generated<number>;
}

/** The tables of this context, after all migrations. */
export interface SpecimensSchema {
	idempotencyKeys: unknown;
	specimens: SpecimensTable;
}

export type SpecimensQueryable = Queryable<SpecimensSchema>;
