import type { Logger } from '@paddock/telemetry';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import { Pool } from 'pg';
import { boundedPool } from './bounded-pool.ts';
import { camelCaseColumns } from './camel-case-columns.ts';
import { columnParsers } from './column-parsers.ts';
import { connectTimeoutOf } from './database-url.ts';

export type Database<Schema> = Kysely<Schema>;

/** What a repository function takes first: the caller decides whether it runs in a transaction. */
export type Queryable<Schema> = Kysely<Schema> | Transaction<Schema>;

export interface DatabaseOptions {
	/** `postgres://role:password@host:port/database` */
	url: string;
	/** Connections at most; further queries wait for one for `connectTimeoutMs`. */
	poolMax?: number;
	/** The server cancels a statement that takes longer (SQLSTATE 57014). */
	statementTimeoutMs?: number;
	/** For making a connection, and for getting one from a busy pool; unless given, the url's `connect_timeout` or 2 s. */
	connectTimeoutMs?: number;
	/** Queries and rows name columns and tables in camelCase, see `camelCaseColumns`; otherwise as the database does. */
	camelCase?: boolean;
	/** Shown in pg_stat_activity. */
	applicationName: string;
	logger: Logger;
}

/** Beyond the statement time-out, for the way to the server and back. */
const answerGraceMs = 1_000;
const idleTimeoutMs = 30_000;
const connectTimeoutDefaultMs = 2_000;

/**
 * A pool of connections to one database. It connects at the first query, and by itself again after the server was
 * away; until then queries reject with an error that `isDatabaseUnavailable` knows. Columns become values as
 * `columnParsers` says. Close it with `destroy()`.
 */
export function createDatabase<Schema>(options: DatabaseOptions): Database<Schema> {
	const { statementTimeoutMs = 5_000, logger } = options;
	const connectTimeoutMs =
		options.connectTimeoutMs ?? connectTimeoutOf(options.url) ?? connectTimeoutDefaultMs;
	const pool = new Pool({
		connectionString: options.url,
		max: options.poolMax ?? 10,
		statement_timeout: statementTimeoutMs,
		connectionTimeoutMillis: connectTimeoutMs,
		idleTimeoutMillis: idleTimeoutMs,
		application_name: options.applicationName,
		keepAlive: true,
		types: columnParsers,
	});
	// Without this listener the loss of an idle connection would end the process. The pool drops the connection itself.
	pool.on('error', (error) => logger.warn('an idle database connection was lost', { error }));
	// A connection in use has no listener of the pool's; the query on it, or the next one, rejects with the error.
	pool.on('connect', (client) => client.on('error', () => {}));
	return new Kysely<Schema>({
		dialect: new PostgresDialect({ pool: boundedPool(pool, statementTimeoutMs + answerGraceMs) }),
		plugins: options.camelCase === true ? [camelCaseColumns] : [],
	});
}
