import { STATUS_CODES } from 'node:http';
import { type CommonErrorCode, commonErrors, type ErrorDefinition, type FieldError } from '@paddock/contract';

type Codes = Readonly<Record<string, ErrorDefinition>>;

export const anyFailure = 'AnyFailure';

// Errors of any request, or of any with a token, an id, a query or a body, and failures on the path to an operation.
const anywhere: readonly CommonErrorCode[] = [
	'AMBIGUOUS_PATH',
	'MALFORMED_REQUEST',
	'UPGRADE_NOT_SUPPORTED',
	'MALFORMED_JSON',
	'INVALID_ID',
	'INVALID_QUERY_PARAMETER',
	'UNAUTHENTICATED',
	'INVALID_TOKEN',
	'TOKEN_EXPIRED',
	'TOKEN_REVOKED',
	'EMAIL_NOT_VERIFIED',
	'NOT_ACCEPTABLE',
	'REQUEST_TIMEOUT',
	'PAYLOAD_TOO_LARGE',
	'URI_TOO_LONG',
	'UNSUPPORTED_MEDIA_TYPE',
	'EXPECTATION_FAILED',
	'UPSTREAM_REFUSED',
	'RATE_LIMITED',
	'HEADERS_TOO_LARGE',
	'INTERNAL_ERROR',
	'UPSTREAM_ERROR',
	'SERVICE_UNAVAILABLE',
	'CIRCUIT_OPEN',
	'OVERLOADED',
	'NOT_CACHED',
	'UPSTREAM_TIMEOUT',
];

// Codes whose failure names the refused fields.
const withFields: Readonly<Record<string, FieldError>> = {
	VALIDATION_ERROR: { field: 'name', code: 'REQUIRED', message: 'is required' },
	INVALID_QUERY_PARAMETER: { field: 'size', code: 'INVALID_RANGE', message: 'must be from 1 to 200' },
	INVALID_ID: { field: 'id', code: 'INVALID_FORMAT', message: 'must be a UUID' },
};

/** The `x-error-codes` of an operation: its own errors, without those of every operation. */
export function ownCodes(errors: Codes): readonly string[] {
	return Object.keys(errors).filter((code) => !isOfAny(code));
}

const isOfAny = (code: string) => anywhere.some((common) => common === code);

/** The errors with these codes, and those of every operation. */
export function documentedErrors(errors: Codes, codes: ReadonlySet<string>): Codes {
	return Object.fromEntries(Object.entries(errors).filter(([code]) => isOfAny(code) || codes.has(code)));
}

/** The name of the response that all operations share for a status, e.g. `NotFound`. */
export function failureName(status: number): string {
	return (STATUS_CODES[status] ?? `Status${status}`).replaceAll(/[^A-Za-z]/g, '');
}

/** The `components.responses`: one per status of these errors, and `AnyFailure`. */
export function failureResponses(errors: Codes): Readonly<Record<string, object>> {
	const statuses = Map.groupBy(Object.entries(errors), ([, { status }]) => status);
	const named = [...statuses].map(([status, [first]]) => [
		failureName(status),
		responseOf(`${STATUS_CODES[status]}; the operation lists the codes.`, first),
	]);
	const text = 'A failure of any operation, with one of these codes.';
	return {
		...Object.fromEntries(named),
		[anyFailure]: {
			...responseOf(text, ['SERVICE_UNAVAILABLE', commonErrors.SERVICE_UNAVAILABLE]),
			'x-error-codes': anywhere,
		},
	};
}

// Statuses whose responses have a Retry-After header.
const retriable: ReadonlySet<number> = new Set([423, 429, 502, 503]);

function responseOf(description: string, first: readonly [string, ErrorDefinition] | undefined) {
	const [code, definition] = first ?? ['INTERNAL_ERROR', commonErrors.INTERNAL_ERROR];
	return {
		description,
		...(retriable.has(definition.status)
			? { headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } } }
			: {}),
		content: {
			'application/json': {
				schema: { $ref: '#/components/schemas/Failure' },
				example: exampleOf(code, definition),
			},
		},
	};
}

function exampleOf(code: string, { status, message }: ErrorDefinition) {
	const field = withFields[code];
	const errors = field === undefined ? {} : { errors: [field] };
	return {
		success: false,
		data: { code, status, requestId: '7f3c2d1e-5b4a-4c8d-9e0f-1a2b3c4d5e6f', ...errors },
		message,
		timestamp: '2026-03-01T08:15:00.000Z',
	};
}
