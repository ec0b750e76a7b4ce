import { sql } from 'kysely';

/** The columns that each change of a record sets. */
export function changedAt(now: Date) {
	return { updatedAt: now, version: sql<number>`version + 1` };
}
