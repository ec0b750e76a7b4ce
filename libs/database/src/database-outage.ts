import { type ApiError, apiError } from '@paddock/contract';
import { isDatabaseUnavailable, isRetryableConflict } from './database-errors.ts';

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
