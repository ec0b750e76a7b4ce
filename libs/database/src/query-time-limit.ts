import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * How long the driver waits for the answer to one query, in milliseconds, where it differs from the pool's own
 * limit: a migration may take minutes. The server's `statement_timeout` can't stand in for it, because a server
 * that hangs doesn't count its own time either.
 */
export const queryTimeLimit = new AsyncLocalStorage<number>();
