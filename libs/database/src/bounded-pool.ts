import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { errorText } from './error-code.ts';
import { queryTimeLimit } from './query-time-limit.ts';

/**
 * The server received a query and did not respond in time. The connection is closed; the query's outcome is unknown.
 */
export class QueryTimeoutError extends Error {
	override name = 'QueryTimeoutError';
	constructor(limitMs: number) {
		super(`the database did not respond within ${limitMs} ms`);
	}
}

/**
 * A pool whose queries always settle: after `responseTimeoutMs` the query rejects with a {@link QueryTimeoutError} and
 * its connection is removed from the pool. pg's own `query_timeout` returns the connection to the pool with the query
 * still running, so that the next query waits behind it.
 */
export function boundedPool(pool: Pool, responseTimeoutMs: number): PostgresPool {
	return {
		options: pool.options,
		connect: async () => boundedClient(await pool.connect(), responseTimeoutMs),
		end: () => pool.end(),
	};
}

function boundedClient(client: PoolClient, responseTimeoutMs: number): PostgresPoolClient {
	let timedOut: QueryTimeoutError | undefined;
	let closed = false;
	const query = async (text: string, parameters: readonly unknown[]) => {
		if (timedOut) throw timedOut;
		const limitMs = queryTimeLimit.getStore() ?? responseTimeoutMs;
		const { promise: expired, reject } = Promise.withResolvers<never>();
		const timer = setTimeout(() => {
			timedOut = new QueryTimeoutError(limitMs);
			reject(timedOut);
		}, limitMs);
		const response = client.query(text, [...parameters]);
		try {
			return await Promise.race([response, expired]);
		} catch (error) {
			// The server closes the connection after a fatal error; the next query must not use it.
			closed ||= errorText(error, 'severity') === 'FATAL';
			throw error;
		} finally {
			clearTimeout(timer);
		}
	};
	return {
		query: query as unknown as PostgresPoolClient['query'],
		release: (destroy) => client.release(timedOut ?? (closed || destroy)),
	};
}
