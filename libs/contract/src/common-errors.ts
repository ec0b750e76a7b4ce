import { type ErrorDefinition, errorFactory, errorTable, type FieldError } from './failure.ts';

/** The error codes shared by all contexts and the gateway. A context adds its own table. */
export const commonErrors = {
	MALFORMED_REQUEST: { status: 400, message: 'The request is not well-formed HTTP.' },
	AMBIGUOUS_PATH: { status: 400, message: 'The path is ambiguous.' },
	UPGRADE_NOT_SUPPORTED: { status: 400, message: 'Connection upgrades are not supported.' },
	MALFORMED_JSON: { status: 400, message: 'The body is not valid JSON.' },
	VALIDATION_ERROR: { status: 400, message: 'Some fields are not valid.' },
	INVALID_ID: { status: 400, message: 'The id in the path is not valid.' },
	INVALID_QUERY_PARAMETER: { status: 400, message: 'Some query parameters are not valid.' },
	UNAUTHENTICATED: { status: 401, message: 'Sign in first: a bearer token is required.' },
	TOKEN_EXPIRED: { status: 401, message: 'The access token has expired. Refresh it.' },
	TOKEN_REVOKED: {
		status: 401,
		message: 'The session has ended or the account has changed. Refresh the token or sign in again.',
	},
	INVALID_TOKEN: { status: 401, message: 'The access token is not valid.' },
	FORBIDDEN: { status: 403, message: 'Your roles do not allow this.' },
	EMAIL_NOT_VERIFIED: { status: 403, message: 'Verify your e-mail address first: use the link in the mail.' },
	OUT_OF_SCOPE: { status: 403, message: 'Outside the clubs or records of your role.' },
	STEP_UP_REQUIRED: {
		status: 403,
		message:
			'Confirm your second factor with POST /auth/step-up, then repeat the request with the new access token.',
	},
	NOT_FOUND: { status: 404, message: 'Record not found.' },
	ROUTE_NOT_FOUND: { status: 404, message: 'No route matches this path.' },
	METHOD_NOT_ALLOWED: { status: 405, message: 'Method not supported by this path.' },
	NOT_ACCEPTABLE: { status: 406, message: 'Only application/json is available.' },
	REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
	CONFLICT: { status: 409, message: "Conflicts with the resource's current state." },
	IDEMPOTENCY_KEY_REUSED: {
		status: 409,
		message: 'The Idempotency-Key was used for another request. Use a new one.',
	},
	PRECONDITION_FAILED: { status: 412, message: 'The record has changed since you read it. Read it again.' },
	PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is larger than allowed.' },
	URI_TOO_LONG: { status: 414, message: 'The address is longer than allowed.' },
	UNSUPPORTED_MEDIA_TYPE: {
		status: 415,
		message: 'Send the body as application/json in UTF-8, not compressed.',
	},
	UPSTREAM_REFUSED: { status: 400, message: 'The service refused the request.' },
	EXPECTATION_FAILED: { status: 417, message: 'Only the expectation 100-continue is supported.' },
	ACCOUNT_LOCKED: { status: 423, message: 'The account is locked. Try again later.' },
	RATE_LIMITED: { status: 429, message: 'Too many requests. Try again later.' },
	HEADERS_TOO_LARGE: { status: 431, message: 'The headers are larger than allowed.' },
	INTERNAL_ERROR: {
		status: 500,
		message: 'Internal error. Include the request id in a report.',
	},
	UPSTREAM_ERROR: { status: 502, message: 'Invalid response from upstream.' },
	SERVICE_UNAVAILABLE: { status: 503, message: 'The service is not available; retry later.' },
	CIRCUIT_OPEN: { status: 503, message: 'Circuit breaker open; retry later.' },
	CONTRACT_UNAVAILABLE: {
		status: 503,
		message: 'The contract of this service has not been read yet; retry later.',
	},
	OVERLOADED: { status: 503, message: 'Server overloaded; retry later.' },
	NOT_CACHED: { status: 504, message: 'No response is stored, and the request accepts no other.' },
	UPSTREAM_TIMEOUT: { status: 504, message: 'No response from upstream in time.' },
} as const satisfies Record<string, ErrorDefinition>;

export type CommonErrorCode = keyof typeof commonErrors;

/** `throw apiError('NOT_FOUND')`: the expected failures that every context shares. */
export const apiError = errorFactory(commonErrors);

/** Errors of the contexts whose callers act as members and whose records have a status. */
export const sharedErrors = errorTable({
	403: { MEMBER_NOT_ACTIVE: 'Your membership is not active. Contact the federation’s office.' },
	409: { ILLEGAL_STATE_TRANSITION: 'The present status does not allow this step.' },
});

/** @throws ApiError VALIDATION_ERROR with all errors, if any. */
export function refuseInvalid(errors: readonly FieldError[]): void {
	if (errors.length > 0) throw apiError('VALIDATION_ERROR', { errors });
}
