import { isError } from './error-code.ts';

/**
 * The server received a query and did not respond in time. The connection is closed; the query's outcome is unknown.
 */
export class QueryTimeoutError extends Error {
	override name = 'QueryTimeoutError';
	constructor(limitMs: number) {
		super(`the database did not respond within ${Math.round(limitMs)} ms`);
	}
}

/** A query or transaction got no connection in time; nothing was sent. */
export class ConnectionWaitError extends QueryTimeoutError {
	override name = 'ConnectionWaitError';
	constructor(limitMs: number) {
		super(limitMs);
		this.message = `no database connection within ${Math.round(limitMs)} ms`;
	}
}

/** Those of TLS have neither a severity nor a list of codes. */
const connectionErrors = new WeakSet<Error>();

/** For errors with which a connection could not be opened. */
export function markConnectionError(error: Error): void {
	connectionErrors.add(error);
}

/** True when no connection could be opened. */
export function isConnectionError(error: Error): boolean {
	return connectionErrors.has(error);
}

/** True when the query got no connection in time: mostly the pool is busy, which says nothing about the server. */
export function isBusy(error: unknown): boolean {
	return error instanceof ConnectionWaitError || (isError(error) && error.message === busyMessage);
}

/** pg's pool reports with it that no connection became free in time. */
const busyMessage = 'timeout exceeded when trying to connect';
