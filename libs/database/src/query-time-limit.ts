import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The driver's time-out for the response to one query, in milliseconds, if it differs from the pool's: a migration may
 * take minutes. The server's `statement_timeout` is no substitute, because a hanging server doesn't enforce it.
 */
export const queryTimeLimit = new AsyncLocalStorage<number>();
