import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import { type CommonErrorCode, commonErrors, type ErrorDefinition, type FieldError } from '@paddock/contract';

type Codes = Readonly<Record<string, ErrorDefinition>>;

// Statuses that come with a Retry-After.
const retriable: ReadonlySet<number> = new Set([423, 429, 502, 503]);

// Codes that say which fields were refused.
const withFields: Readonly<Record<string, FieldError>> = {
	VALIDATION_ERROR: { field: 'name', code: 'REQUIRED', message: 'is required' },
	INVALID_QUERY_PARAMETER: { field: 'size', code: 'INVALID_RANGE', message: 'must be from 1 to 200' },
	INVALID_ID: { field: 'id', code: 'INVALID_FORMAT', message: 'must be a UUID' },
};

/** The failures that nearly every operation has, each a response of its own name instead of a copy in every operation. */
const sharedCodes: Readonly<Record<string, readonly CommonErrorCode[]>> = {
	Unauthenticated: ['UNAUTHENTICATED', 'INVALID_TOKEN', 'TOKEN_EXPIRED', 'TOKEN_REVOKED'],
	Forbidden: ['FORBIDDEN'],
	NotFound: ['NOT_FOUND'],
	NotAcceptable: ['NOT_ACCEPTABLE'],
	PreconditionFailed: ['PRECONDITION_FAILED'],
	RequestTimeout: ['REQUEST_TIMEOUT'],
	UriTooLong: ['URI_TOO_LONG'],
	ExpectationFailed: ['EXPECTATION_FAILED'],
	HeadersTooLarge: ['HEADERS_TOO_LARGE'],
	BadRequest: ['AMBIGUOUS_PATH', 'MALFORMED_REQUEST'],
	PayloadTooLarge: ['PAYLOAD_TOO_LARGE'],
	UnsupportedMediaType: ['UNSUPPORTED_MEDIA_TYPE'],
	RateLimited: ['RATE_LIMITED'],
	InternalError: ['INTERNAL_ERROR'],
	UpstreamError: ['UPSTREAM_ERROR'],
	Unavailable: ['SERVICE_UNAVAILABLE', 'CIRCUIT_OPEN', 'OVERLOADED'],
	UpstreamTimeout: ['UPSTREAM_TIMEOUT'],
};

/** The `components.responses` of the document. */
export const sharedResponses = Object.fromEntries(
	Object.entries(sharedCodes).map(([name, codes]) => [name, responseOf(pick(codes))]),
);

/** One response per status, its description listing the codes. */
export function failureResponses(errors: Codes): RouteConfig['responses'] {
	const byStatus = Map.groupBy(Object.entries(errors), ([, definition]) => definition.status);
	const entries = [...byStatus].sort(([a], [b]) => a - b);
	return Object.fromEntries(
		entries.map(([status, codes]) => {
			const shared = sharedNameOf(codes.map(([code]) => code));
			return [
				status,
				shared === undefined
					? responseOf(Object.fromEntries(codes))
					: { $ref: `#/components/responses/${shared}` },
			];
		}),
	);
}

function sharedNameOf(codes: readonly string[]): string | undefined {
	const same = (other: readonly string[]) =>
		other.length === codes.length && other.every((code) => codes.includes(code));
	return Object.entries(sharedCodes).find(([, other]) => same(other))?.[0];
}

function pick(codes: readonly CommonErrorCode[]): Codes {
	return Object.fromEntries(codes.map((code) => [code, commonErrors[code]]));
}

function responseOf(errors: Codes) {
	const [first] = Object.values(errors);
	const waits = first !== undefined && retriable.has(first.status);
	return {
		description: Object.entries(errors)
			.map(([code, { message }]) => `\`${code}\`: ${message}`)
			.join('\n'),
		...(waits
			? {
					headers: {
						'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' as const } },
					},
				}
			: {}),
		content: {
			'application/json': {
				schema: { $ref: '#/components/schemas/Failure' },
				examples: Object.fromEntries(
					Object.entries(errors).map(([code, definition]) => [code, exampleFor(code, definition)]),
				),
			},
		},
	};
}

/** The shared example of a code; its own where a route words the message in its own way. */
function exampleFor(code: string, definition: ErrorDefinition) {
	const shared = Object.entries(commonErrors).find(([name]) => name === code)?.[1];
	return shared?.message === definition.message
		? { $ref: `#/components/examples/${code}` }
		: { value: exampleOf(code, definition) };
}

/** The `components.examples` of the document. */
export const sharedExamples = Object.fromEntries(
	Object.entries(commonErrors).map(([code, definition]) => [code, { value: exampleOf(code, definition) }]),
);

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
