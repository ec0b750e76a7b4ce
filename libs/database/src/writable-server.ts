import type { QueryConfig } from 'pg';
import type { TargetServer } from './server-urls.ts';

/** SQLSTATE read_only_sql_transaction: the server is a standby, or was made read-only. */
export const readOnlyCode = '25006';

function refuseIf(condition: string): string {
	return `do $$ begin if ${condition} then raise sqlstate '${readOnlyCode}' using message = 'the server is read-only'; end if; end $$`;
}

/** A statement that fails with `readOnlyCode` on a server that accepts no writes. */
export const refuseReadOnly = refuseIf(`current_setting('transaction_read_only')::boolean`);

/**
 * The query that accepts or refuses a new connection; undefined if any server is accepted. Without its time limit a
 * server that hangs after the connection would occupy a pool slot indefinitely.
 */
export function serverCheck(target: TargetServer, timeoutMs: number): QueryConfig | undefined {
	if (target === 'any') return undefined;
	const text = target === 'primary' ? refuseIf('pg_is_in_recovery()') : refuseReadOnly;
	const query: QueryConfig & { query_timeout: number } = { text, query_timeout: timeoutMs };
	return query;
}
