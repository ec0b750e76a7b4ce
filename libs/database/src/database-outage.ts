import { type ApiError, apiError } from '@paddock/contract';
import { isDatabaseUnavailable, isRetryableConflict } from './database-errors.ts';

const retryAfterMs = 2_000;

/**
 * What a service answers while its database is away, and to who lost against other transactions time and again: 503 with a
 * time to come back. Undefined for any other error.
 */
export function databaseOutage(error: unknown): ApiError | undefined {
	return isDatabaseUnavailable(error) || isRetryableConflict(error)
		? apiError('SERVICE_UNAVAILABLE', { retryAfterMs, cause: error })
		: undefined;
}
