export { advisoryLock } from './advisory-lock.ts';
export { camelCaseName } from './camel-case-columns.ts';
export { changedAt } from './changed-at.ts';
export { databaseCheck, replicaCheck } from './check-database.ts';
export { createDatabase, type Database, type PoolCounts, type Queryable } from './database.ts';
export { databaseOutage, databaseOutages, isForeignKeyViolation } from './database-errors.ts';
export { observeDatabase, observePools, observeReplica } from './database-metrics.ts';
export { ensureDatabaseAndRole } from './ensure-database.ts';
export { foldedLetters } from './folded-letters.ts';
export { type Idempotent, idempotencyKeys, once } from './idempotency.ts';
export { inTransaction } from './in-transaction.ts';
export { alphabetical, type ListOrder, listPage, rankedPage, rowsOfPage, sorted } from './list-page.ts';
export { type Migration, migrateToLatest } from './migrate-to-latest.ts';
export type { ComputedColumn, JsonColumn, NarrowedSchema } from './narrowed-schema.ts';
export { migrateDatabase, openDatabase } from './open-database.ts';
export { openReadReplica, type ReadReplica } from './read-replica.ts';
export { refilledTexts } from './refilled-texts.ts';
export { type Refusals, refusals, refusing } from './refusing.ts';
export {
	matchesAny,
	searchLines,
	type TextQuery,
	textMatches,
	textQuery,
	wordsBegin,
} from './search-lines.ts';
export { type SeedSet, seed, seedMarks } from './seed.ts';
export { withDatabase } from './server-urls.ts';
export { UnusableDatabaseError } from './unusable-database-error.ts';
export { withClient } from './with-client.ts';
