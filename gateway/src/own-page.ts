import { commonErrors } from '@paddock/contract';
import { envelopeOf, failureResponses, type RouteConfig } from '@paddock/service';
import { z } from 'zod';

/** The failures that any page of the gateway's own can have. */
export const ownFailures = failureResponses({
	AMBIGUOUS_PATH: commonErrors.AMBIGUOUS_PATH,
	MALFORMED_REQUEST: commonErrors.MALFORMED_REQUEST,
	REQUEST_TIMEOUT: commonErrors.REQUEST_TIMEOUT,
	URI_TOO_LONG: commonErrors.URI_TOO_LONG,
	EXPECTATION_FAILED: commonErrors.EXPECTATION_FAILED,
	HEADERS_TOO_LARGE: commonErrors.HEADERS_TOO_LARGE,
	INTERNAL_ERROR: commonErrors.INTERNAL_ERROR,
});

/** Those of all pages but liveness and readiness. */
export const limitedFailures = failureResponses({
	RATE_LIMITED: commonErrors.RATE_LIMITED,
	OVERLOADED: commonErrors.OVERLOADED,
});

/** What is declared of a page that is only read. */
export interface OwnPage {
	readonly path: string;
	readonly operationId: string;
	readonly tag: 'portal' | 'operations';
	readonly summary: string;
	readonly description?: string;
}

/** A page that answers with an envelope around `data`. */
export function jsonPage(page: OwnPage, data: z.ZodType): RouteConfig {
	return documentPage(page, 'application/json', envelopeOf(data));
}

/** A page that answers with a document of a standard form, which has no envelope. */
export function documentPage(page: OwnPage, type: string, schema: z.ZodType = z.string()): RouteConfig {
	const { path, operationId, tag, summary, description } = page;
	return {
		method: 'get',
		path,
		operationId,
		tags: [tag],
		summary,
		...(description === undefined ? {} : { description }),
		security: [],
		responses: {
			200: { description: summary, content: { [type]: { schema } } },
			...ownFailures,
			...limitedFailures,
		},
	};
}
