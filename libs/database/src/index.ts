export type { Migration } from 'kysely/migration';
export { advisoryLock } from './advisory-lock.ts';
export { camelCaseColumns, camelCaseName } from './camel-case-columns.ts';
export { databaseCheck, replicaCheck } from './check-database.ts';
export { countOf } from './count-of.ts';
export {
	createDatabase,
	type Database,
	type DatabaseOptions,
	type PoolCounts,
	type Queryable,
} from './database.ts';
export { databaseOutage, isForeignKeyViolation, isUniqueViolation } from './database-errors.ts';
export { observeDatabase, observePools, observeReplica } from './database-metrics.ts';
export { type DatabaseAndRole, ensureDatabaseAndRole } from './ensure-database.ts';
export {
	type IdempotencyTables,
	type Idempotent,
	idempotencyKeys,
	type KeyedRequest,
	type KeyedWork,
	keyLifetimeMs,
	once,
} from './idempotency.ts';
export { inTransaction } from './in-transaction.ts';
export { alphabetical, listPage, type Ordering, rankedPage, rowsOfPage, sorted } from './list-page.ts';
export { migrateToLatest } from './migrate-to-latest.ts';
export type { ComputedColumn, JsonColumn, NarrowedSchema } from './narrowed-schema.ts';
export { migrateDatabase, type OpenDatabaseOptions, openDatabase } from './open-database.ts';
export { openReadReplica, type ReadReplica, type ReadReplicaOptions } from './read-replica.ts';
export { type Refusals, refusing } from './refusing.ts';
export { searchLines, searchPatterns } from './search-lines.ts';
export { type SeedSet, seed, seedMarks } from './seed.ts';
export { withDatabase } from './server-urls.ts';
export { UnusableDatabaseError } from './unusable-database-error.ts';
export { withClient } from './with-client.ts';
