import { type ApiError, apiError } from '@paddock/contract';
import type { Logger } from '@paddock/telemetry';
import { causeText } from '@paddock/telemetry/loggable';
import { isConnectionError, QueryTimeoutError } from './connection-errors.ts';
import { errorCode, errorText, isError } from './error-code.ts';
import { isUnprepared } from './prepared-statements.ts';
import { readOnlyCode } from './server-urls.ts';
import { storageProblem } from './storage-watch.ts';

/** SQLSTATEs, PostgreSQL documentation, appendix A. */
const sqlState = {
	sequenceLimit: '2200H',
	foreignKeyViolation: '23503',
	uniqueViolation: '23505',
	serializationFailure: '40001',
	deadlockDetected: '40P01',
	exclusionViolation: '23P01',
	queryCanceled: '57014',
};

const violations: ReadonlySet<string | undefined> = new Set([
	sqlState.foreignKeyViolation,
	sqlState.uniqueViolation,
	sqlState.exclusionViolation,
]);

/** The foreign key, unique constraint or index, or exclusion constraint that refused the change; undefined if none did. */
export function violatedConstraint(error: unknown): string | undefined {
	return violations.has(errorCode(error)) ? errorText(error, 'constraint') : undefined;
}

/** True when a foreign key refused the change. */
export function isForeignKeyViolation(error: unknown): boolean {
	return errorCode(error) === sqlState.foreignKeyViolation;
}

/** True when a sequence has reached its last number. */
export function isSequenceUsedUp(error: unknown): boolean {
	return errorCode(error) === sqlState.sequenceLimit;
}

/** True when the transaction can succeed if it is run again from its start: it lost a conflict with another one, or a statement must be prepared again. */
export function isRetryableConflict(error: unknown): boolean {
	const code = errorCode(error);
	return code === sqlState.serializationFailure || code === sqlState.deadlockDetected || isUnprepared(error);
}

/**
 * True when the database is unreachable, disconnected, starting, stopping or read-only, has no free connection, space or memory, or
 * did not respond in time: these errors become 503, not 500. A wrong password or a missing database is false.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
	if (!isError(error)) return false;
	if (error instanceof QueryTimeoutError) return true;
	const code = errorCode(error);
	if (code !== undefined && (unavailableCodes.has(code) || connectionExceptionClass.test(code))) return true;
	if (storageProblem(error) !== undefined || unavailableMessages.has(error.message)) return true;
	// Node tries every address of a name and reports all errors together.
	if ('errors' in error && Array.isArray(error.errors) && error.errors.some(isDatabaseUnavailable))
		return true;
	return isDatabaseUnavailable(error.cause);
}

/** True when a query ended at a time limit: that of its request, of the pool or of the server. */
export function hasTimedOut(error: unknown): boolean {
	return error instanceof QueryTimeoutError || errorCode(error) === sqlState.queryCanceled;
}

/** True when the server or the connection reported the error; false for a bug of the code that used the database. */
export function isDatabaseError(error: unknown): boolean {
	if (!isError(error)) return false;
	// Each error of a server has a severity: https://www.postgresql.org/docs/current/protocol-error-fields.html
	const isOfServer = errorText(error, 'severity') !== undefined;
	return (
		isOfServer || isConnectionError(error) || isDatabaseUnavailable(error) || isDatabaseError(error.cause)
	);
}

const connectionExceptionClass = /^08[0-9A-Z]{3}$/;

const unavailableCodes = new Set([
	readOnlyCode, // The server was demoted, or the connection goes to a standby.
	'53300', // too_many_connections
	'53400', // configuration_limit_exceeded, e.g. temp_file_limit
	'55P03', // lock_not_available
	'57014', // query_canceled, e.g. by statement_timeout
	'57P01', // admin_shutdown
	'57P02', // crash_shutdown
	'57P03', // cannot_connect_now
	'57P04', // database_dropped
	'57P05', // idle_session_timeout
	'EAI_AGAIN',
	'ECONNABORTED',
	'ECONNREFUSED',
	'ECONNRESET',
	'EHOSTDOWN',
	'EHOSTUNREACH',
	'ENETDOWN',
	'ENETUNREACH',
	'ENOTFOUND',
	'EPIPE',
	'ETIMEDOUT',
]);

/** pg, its pool and Kysely report these without a code. */
const unavailableMessages = new Set([
	'Cannot use a pool after calling end on the pool',
	'Client has encountered a connection error and is not queryable',
	'Client was closed and is not queryable',
	'Connection terminated',
	'Connection terminated due to connection timeout',
	'Connection terminated unexpectedly',
	'Query read timeout',
	'driver has already been destroyed',
	'timeout expired',
	'timeout exceeded when trying to connect',
]);

const retryAfterMs = 2_000;

// The gateway and calling services read this header: the outage must not count as a failure of the instance, whose breaker
// would stay open after the database is back (docs/decisions/0010).
const headers = { 'X-Failed-Part': 'database' };

/**
 * The response of a service while its database is unavailable or after repeated lost transaction conflicts: 503 with
 * Retry-After. Undefined for any other error.
 */
export function databaseOutage(error: unknown): ApiError | undefined {
	return isDatabaseUnavailable(error) || isRetryableConflict(error)
		? apiError('SERVICE_UNAVAILABLE', { retryAfterMs, headers, cause: error })
		: undefined;
}

// Class 53 (insufficient resources), class 58 (system error) and shutdowns: no query causes them, and all requests get them.
const failingServer = /^(?:53|58|57P)/;
const logEveryMs = 60_000;

/**
 * As `databaseOutage`, but the failures of a server are logged here, each problem once a minute, and not with each response.
 * @param now monotonic milliseconds
 */
export function databaseOutages(
	logger: Logger,
	now = () => performance.now(),
): (error: unknown) => ApiError | undefined {
	const logs = new Map<string, { loggedAt: number; unlogged: number }>();
	const log = (error: unknown): void => {
		const problem = describeDatabaseFailure(error);
		const last = logs.get(problem) ?? { loggedAt: Number.NEGATIVE_INFINITY, unlogged: 0 };
		logs.set(problem, last);
		last.unlogged += 1;
		if (now() - last.loggedAt < logEveryMs) return;
		const count = last.unlogged;
		Object.assign(last, { loggedAt: now(), unlogged: 0 });
		logger.error('database unavailable', { problem, count, code: errorCode(error), cause: causeText(error) });
	};
	return (error) => {
		const isOfServer = storageProblem(error) !== undefined || failingServer.test(errorCode(error) ?? '');
		if (!isOfServer) return databaseOutage(error);
		log(error);
		return apiError('SERVICE_UNAVAILABLE', { retryAfterMs, headers });
	};
}

/** By errno or SQLSTATE (PostgreSQL documentation, appendix A). */
const descriptions: Readonly<Record<string, string>> = {
	[readOnlyCode]: 'server is read-only',
	ECONNREFUSED: 'connection refused',
	ECONNRESET: 'connection reset',
	ENOTFOUND: 'host name not found',
	EAI_AGAIN: 'host name not found',
	ETIMEDOUT: 'connection timed out',
	'28000': 'credentials rejected',
	'28P01': 'credentials rejected',
	'3D000': 'database does not exist',
	'53300': 'too many connections',
	'53400': 'limit of the server exceeded',
	'57P01': 'server stopped',
	'57P02': 'server crashed',
	'57P03': 'server is starting or stopping',
	'57P04': 'database was dropped',
	'57P05': 'session was idle for too long',
};

/** The cause of a failed database call for health pages: without address, user and database name. */
export function describeDatabaseFailure(error: unknown): string {
	if (error instanceof QueryTimeoutError) return 'no response in time';
	const problem = storageProblem(error);
	if (problem !== undefined) return problem;
	const code = failureCode(error);
	if (code !== undefined) return descriptions[code] ?? `error ${code}`;
	return isError(error) && /timeout/.test(error.message) ? 'no response in time' : 'connection lost';
}

/** The first code of an error, its causes, and the errors of all addresses of a name. */
function failureCode(error: unknown): string | undefined {
	if (!isError(error)) return undefined;
	const own = errorCode(error);
	if (own !== undefined) return own;
	const each: readonly unknown[] = 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
	return [...each, error.cause].map(failureCode).find((code) => code !== undefined);
}

/** The failure of each constraint. */
export type Refusals = Readonly<Record<string, (cause: unknown) => ApiError>>;

/** The failures by their codes: `refusals(horsesError, { horses_ueln_key: 'UELN_TAKEN' })`. */
export function refusals<Code extends string>(
	errorOf: (code: Code, options: { readonly cause: unknown }) => ApiError,
	codes: Readonly<Record<string, Code>>,
): Refusals {
	return Object.fromEntries(
		Object.entries(codes).map(([constraint, code]) => [constraint, (cause) => errorOf(code, { cause })]),
	);
}

/**
 * Runs a write and converts the violation of a unique constraint, foreign key or exclusion constraint to its failure.
 * @throws the failure of the constraint; any other error unchanged.
 */
export async function refusing<Result>(refused: Refusals, write: Promise<Result>): Promise<Result> {
	try {
		return await write;
	} catch (error) {
		const failure = refused[violatedConstraint(error) ?? ''];
		throw failure === undefined ? error : failure(error);
	}
}
