import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import { type CommonErrorCode, commonErrors, type ErrorDefinition } from '@paddock/contract';

type Codes = Readonly<Record<string, ErrorDefinition>>;

// Statuses that come with a Retry-After.
const retriable: ReadonlySet<number> = new Set([423, 429, 502, 503]);

/** The failures that nearly every operation has, each a response of its own name instead of a copy in every operation. */
const sharedCodes: Readonly<Record<string, readonly CommonErrorCode[]>> = {
	Unauthenticated: ['UNAUTHENTICATED', 'INVALID_TOKEN', 'TOKEN_EXPIRED'],
	Forbidden: ['FORBIDDEN'],
	NotFound: ['NOT_FOUND'],
	NotAcceptable: ['NOT_ACCEPTABLE'],
	PreconditionFailed: ['PRECONDITION_FAILED'],
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
		content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
	};
}
