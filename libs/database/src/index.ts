export {
	asSystem,
	type Change,
	changeHistory,
	deleteChangesBefore,
	eraseChanges,
	listChanges,
	namingAuthor,
	recordChangesOf,
} from './change-history.ts';
export { databaseCheck, replicaCheck } from './check-database.ts';
export { camelCaseName } from './column-parsers.ts';
export { concurrentIndexes } from './concurrent-indexes.ts';
export {
	type ComputedColumn,
	createDatabase,
	type Database,
	type JsonColumn,
	type NarrowedSchema,
	type PoolCounts,
	type Queryable,
} from './database.ts';
export {
	databaseOutage,
	databaseOutages,
	hasTimedOut,
	isForeignKeyViolation,
	isSequenceUsedUp,
	type Refusals,
	refusals,
	refusing,
} from './database-errors.ts';
export { observeDatabase, observePools, observeReplica } from './database-metrics.ts';
export { ensureDatabaseAndRole } from './ensure-database.ts';
export { filledColumns } from './filled-columns.ts';
export {
	deleteExpiredKeys,
	findResponse,
	type Idempotent,
	idempotencyKeys,
	type Keyed,
	keyedRequest,
	once,
	type TakenKeys,
	takeKeys,
} from './idempotency.ts';
export { advisoryLock, inTransaction } from './in-transaction.ts';
export {
	anyOf,
	changedAt,
	compared,
	comparedLast,
	expectedRows,
	frequentShare,
	hasChangedSince,
	isOneOf,
	isRecent,
	isSmall,
	recentSince,
	shareOf,
} from './list-conditions.ts';
export { alphabetical, alphabeticalOrLast, beginsWith, isBeginning, type ListOrder } from './list-order.ts';
export { listPage } from './list-page.ts';
export type { Beginnings, RowGroups } from './list-rows.ts';
export { type Migration, migrateToLatest } from './migrate-to-latest.ts';
export { type NumberSpace, observeNumberSpaces } from './number-spaces.ts';
export { migrateDatabase, openDatabase } from './open-database.ts';
export type { Counted } from './pooled-dialect.ts';
export { prepared } from './prepared-statements.ts';
export { openReadReplica, type ReadReplica } from './read-replica.ts';
export { recordTimes } from './record-times.ts';
export { foldedLetters, refilledTexts } from './refilled-texts.ts';
export {
	matchesAny,
	searchLines,
	type TextQuery,
	textMatches,
	textQuery,
	wordsBegin,
} from './search-lines.ts';
export { type SeedSet, seed, seedMarks } from './seed.ts';
export { UnusableDatabaseError, withDatabase } from './server-urls.ts';
export { cancelStatistics, statistics, statisticsIntervalMs } from './statistics.ts';
export { withClient } from './with-client.ts';
