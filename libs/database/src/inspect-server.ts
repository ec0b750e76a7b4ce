import type { Logger } from '@paddock/telemetry';
import { type Kysely, sql } from 'kysely';
import { UnusableDatabaseError } from './server-urls.ts';

interface ServerConnections {
	/** Connections that roles without special rights may open, all databases together. */
	readonly max: number;
	/** Connections that are open, all databases together. */
	readonly used: number;
}

/** The connections of the server; behind a pooler those of the server that it connects to. */
export async function serverConnections<Schema>(db: Kysely<Schema>): Promise<ServerConnections> {
	// `reserved_connections` came with PostgreSQL 16.
	const { rows } = await sql<ServerConnections>`
		select current_setting('max_connections')::int
				- current_setting('superuser_reserved_connections')::int
				- coalesce(nullif(current_setting('reserved_connections', true), '')::int, 0) as max,
			(select sum(numbackends) from pg_stat_database)::int as used`.execute(db);
	return rows[0] ?? { max: 0, used: 0 };
}

/**
 * Checks at the start what would fail later: the encoding, the connections that the pool may need, and the time limit of
 * statements, of which the last two are logged.
 * @throws UnusableDatabaseError if the database can't store every text
 */
export async function inspectServer<Schema>(
	db: Kysely<Schema>,
	poolMax: number,
	logger: Logger,
): Promise<void> {
	const { rows } = await sql<{ encoding: string; limit: string; role: string }>`
		select current_setting('server_encoding') as encoding, current_setting('statement_timeout') as limit,
			current_user as role`.execute(db);
	const { encoding, limit, role } = rows[0] ?? {};
	if (encoding !== 'UTF8') {
		throw new UnusableDatabaseError(
			`the database has the encoding ${encoding}; create it with: create database … encoding 'UTF8' template template0`,
		);
	}
	if (limit === '0') {
		logger.warn(
			'the role has no statement_timeout: a statement that the service abandons continues on the server',
			{
				remedy: `alter role "${role}" set statement_timeout = '5s'`,
			},
		);
	}
	await warnIfConnectionsScarce(db, poolMax, logger);
}

/** Logs a warning if the server of a pool has fewer free connections than the pool may need. */
export async function warnIfConnectionsScarce<Schema>(
	db: Kysely<Schema>,
	poolMax: number,
	logger: Logger,
): Promise<void> {
	const { max, used } = await serverConnections(db);
	// One of the used connections is our own.
	const free = max - used + 1;
	if (free < poolMax)
		logger.warn('fewer connections are free on the database server than the pool may need', {
			poolMax,
			free,
			max,
		});
}
