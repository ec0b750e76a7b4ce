import { remainingMs } from '@paddock/resilience';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { errorText } from './error-code.ts';
import { withQuerySpan } from './query-span.ts';
import { queryTimeLimit } from './query-time-limit.ts';

/**
 * The server received a query and did not respond in time. The connection is closed; the query's outcome is unknown.
 */
export class QueryTimeoutError extends Error {
	override name = 'QueryTimeoutError';
	constructor(limitMs: number) {
		super(`the database did not respond within ${Math.round(limitMs)} ms`);
	}
}

/**
 * A pool whose queries always settle: after `responseTimeoutMs`, or shortly before the deadline of the current request,
 * the query rejects with a {@link QueryTimeoutError} and its connection is removed from the pool. pg's own
 * `query_timeout` returns the connection to the pool with the query
 * still running, so that the next query waits behind it.
 */
export function boundedPool(pool: Pool, responseTimeoutMs: number): PostgresPool {
	return {
		options: pool.options,
		connect: async () => boundedClient(await connectInTime(pool), responseTimeoutMs),
		end: () => pool.end(),
	};
}

/** The pool has its own time-out; that of the request may be shorter. A connection that comes too late is returned. */
async function connectInTime(pool: Pool): Promise<PoolClient> {
	const limitMs = remainingMs();
	const connecting = pool.connect();
	if (limitMs === undefined) return await connecting;
	const { promise: expired, reject } = Promise.withResolvers<never>();
	const timer = setTimeout(() => {
		connecting.then(
			(client) => client.release(),
			() => {}, // The query has been rejected already.
		);
		reject(new QueryTimeoutError(limitMs));
	}, limitMs);
	try {
		return await Promise.race([connecting, expired]);
	} finally {
		clearTimeout(timer);
	}
}

function boundedClient(client: PoolClient, responseTimeoutMs: number): PostgresPoolClient {
	let timedOut: QueryTimeoutError | undefined;
	let closed = false;
	const bounded = async (text: string, parameters: readonly unknown[]) => {
		if (timedOut) throw timedOut;
		const limitMs = Math.min(
			queryTimeLimit.getStore() ?? responseTimeoutMs,
			remainingMs() ?? Number.POSITIVE_INFINITY,
		);
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
	const query = (text: string, parameters: readonly unknown[]) =>
		withQuerySpan(client, text, () => bounded(text, parameters));
	return {
		query: query as unknown as PostgresPoolClient['query'],
		release: (destroy) => client.release(timedOut ?? (closed || destroy)),
	};
}
