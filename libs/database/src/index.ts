export type { Migration } from 'kysely/migration';
export { checkDatabase } from './check-database.ts';
export { createDatabase, type Database, type DatabaseOptions, type Queryable } from './database.ts';
export {
	isDatabaseUnavailable,
	isForeignKeyViolation,
	isRetryableConflict,
	isUniqueViolation,
} from './database-errors.ts';
export { withDatabase } from './database-url.ts';
export { type DatabaseAndRole, ensureDatabaseAndRole } from './ensure-database.ts';
export { inTransaction } from './in-transaction.ts';
export { migrateToLatest } from './migrate-to-latest.ts';
