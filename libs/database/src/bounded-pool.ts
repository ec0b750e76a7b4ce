import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { errorText } from './error-code.ts';
import { queryTimeLimit } from './query-time-limit.ts';

/** The server took a query and gave no answer in time. The connection is gone, the query's fate unknown. */
export class QueryUnansweredError extends Error {
	override name = 'QueryUnansweredError';
	constructor(limitMs: number) {
		super(`the database did not respond within ${limitMs} ms`);
	}
}

/**
 * A pool whose queries always end: after `answerTimeoutMs` the query rejects with a {@link QueryUnansweredError} and
 * its connection leaves the pool. pg's own `query_timeout` gives the connection back with the query still
 * running on it, so that the next one waits behind it.
 */
export function boundedPool(pool: Pool, answerTimeoutMs: number): PostgresPool {
	return {
		options: pool.options,
		connect: async () => boundedClient(await pool.connect(), answerTimeoutMs),
		end: () => pool.end(),
	};
}

function boundedClient(client: PoolClient, answerTimeoutMs: number): PostgresPoolClient {
	let unanswered: QueryUnansweredError | undefined;
	let closed = false;
	const query = async (text: string, parameters: readonly unknown[]) => {
		if (unanswered) throw unanswered;
		const limitMs = queryTimeLimit.getStore() ?? answerTimeoutMs;
		const { promise: expired, reject } = Promise.withResolvers<never>();
		const timer = setTimeout(() => {
			unanswered = new QueryUnansweredError(limitMs);
			reject(unanswered);
		}, limitMs);
		const answer = client.query(text, [...parameters]);
		try {
			return await Promise.race([answer, expired]);
		} catch (error) {
			// The server closes the connection after a fatal error; it must not go to the next query meanwhile.
			closed ||= errorText(error, 'severity') === 'FATAL';
			throw error;
		} finally {
			clearTimeout(timer);
		}
	};
	return {
		query: query as unknown as PostgresPoolClient['query'],
		release: (destroy) => client.release(unanswered ?? (closed || destroy)),
	};
}
