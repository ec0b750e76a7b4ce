import type { Logger } from '@paddock/telemetry';
import { type ColumnType, Kysely, type Transaction } from 'kysely';
import { Pool } from 'pg';
import { boundedPool } from './bounded-pool.ts';
import { camelCaseColumns, columnParsers } from './column-parsers.ts';
import { PooledDialect } from './pooled-dialect.ts';
import { clientOf, connectTimeoutOf, createServerChooser, serverCheck, serverUrls } from './server-urls.ts';
import { createStorageWatch } from './storage-watch.ts';

/** A pool of connections to the database of one context. */
export type Database<Schema> = Kysely<Schema>;

/** The first parameter of a repository function: the caller decides whether it runs in a transaction. */
export type Queryable<Schema> = Kysely<Schema> | Transaction<Schema>;

export interface DatabaseOptions {
	/** `postgres://role:password@host:port/database`, or several hosts: see `serverUrls`. */
	url: string;
	/**
	 * Maximum number of connections, of which transactions use at most half (rounded down, at least one); further queries and
	 * transactions wait for `connectTimeoutMs`.
	 */
	poolMax?: number;
	/** Receives the pool, for its gauges. */
	onPool?: (pool: PoolCounts) => void;
	/**
	 * A connection whose statement takes a second longer is closed. The server's own `statement_timeout` is a setting of
	 * the role (`ensureDatabaseAndRole`): as a startup parameter it would be refused by poolers.
	 */
	statementTimeoutMs?: number;
	/**
	 * Time-out for opening a connection and for getting one from a busy pool; defaults to the url's `connect_timeout`
	 * or 2 s.
	 */
	connectTimeoutMs?: number;
	/** Shown in pg_stat_activity. */
	applicationName: string;
	logger: Logger;
}

/** The connections of a pool, their maximum, and the queries and transactions that wait for one. */
export type PoolCounts = Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount' | 'options'>;

/** Allowance for the network, in addition to the statement time-out. */
const responseGraceMs = 1_000;
const idleTimeoutMs = 30_000;
const connectTimeoutDefaultMs = 2_000;
export const poolMaxDefault = 10;

/**
 * A pool of connections to one database. It connects at the first query and reconnects by itself after an outage;
 * during the outage queries reject with an error for which `isDatabaseUnavailable` is true. `columnParsers` converts
 * the column values, `camelCaseColumns` the names of tables and columns. Close it with `destroy()`.
 */
export function createDatabase<Schema>(options: DatabaseOptions): Database<Schema> {
	const { statementTimeoutMs = 5_000, logger } = options;
	const connectTimeoutMs =
		options.connectTimeoutMs ?? connectTimeoutOf(options.url) ?? connectTimeoutDefaultMs;
	const servers = serverUrls(options.url);
	const chooser = createServerChooser(servers);
	const serverTimeoutMs = Math.ceil(connectTimeoutMs / chooser.count);
	const pool = new Pool({
		Client: clientOf(chooser, serverTimeoutMs),
		max: options.poolMax ?? poolMaxDefault,
		connectionTimeoutMillis: connectTimeoutMs,
		idleTimeoutMillis: idleTimeoutMs,
		application_name: options.applicationName,
		keepAlive: true,
		types: columnParsers,
	});
	// Without this listener the loss of an idle connection would crash the process. The pool itself removes the
	// connection.
	pool.on('error', (error) => logger.warn('an idle database connection was lost', { error }));
	// The pool has no listener on a connection in use; the query on it, or the next one, rejects with the error.
	pool.on('connect', (client) => client.on('error', () => {}));
	const storage = createStorageWatch(logger);
	const dialect = new PooledDialect({
		pool: boundedPool(pool, chooser, {
			responseTimeoutMs: statementTimeoutMs + responseGraceMs,
			check: serverCheck(servers.target, serverTimeoutMs),
			onFailure: storage.failed,
		}),
		poolMax: pool.options.max,
		waitMs: connectTimeoutMs,
		storage,
	});
	options.onPool?.(countsOf(pool, dialect));
	return new Kysely<Schema>({ dialect, plugins: [camelCaseColumns] });
}

function countsOf(pool: Pool, { transactions }: PooledDialect): PoolCounts {
	return {
		options: pool.options,
		get totalCount() {
			return pool.totalCount;
		},
		get idleCount() {
			return pool.idleCount;
		},
		get waitingCount() {
			return pool.waitingCount + transactions.waiting;
		},
	};
}

/** Some columns of some tables of a schema, each with its own type. */
type Columns<Schema> = {
	readonly [Table in keyof Schema]?: { readonly [Column in keyof Schema[Table]]?: unknown };
};

/**
 * A generated schema with narrower column types that the generator can't infer, e.g. from a check constraint or for a
 * JSON value.
 */
export type NarrowedSchema<Schema, Narrowed extends Columns<Schema>> = {
	[Table in keyof Schema]: Table extends keyof Narrowed
		? Omit<Schema[Table], keyof Narrowed[Table]> & Narrowed[Table]
		: Schema[Table];
};

/** JSON that is read as a value and written as text. */
export type JsonColumn<Value> = ColumnType<Value | null, string | null, string | null>;

/** A column that the database computes. */
export type ComputedColumn<Value> = ColumnType<Value, never, never>;
