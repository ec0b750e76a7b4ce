import { envelopeOf, type RouteConfig } from '@paddock/service';
import { z } from 'zod';

/** The declaration of a read-only page. */
export interface DocumentedPage {
	readonly path: string;
	readonly operationId: string;
	readonly tag: 'portal' | 'operations';
	readonly summary: string;
	readonly description?: string;
}

/** A page that responds with an envelope around `data`. */
export function jsonPage(page: DocumentedPage, data: z.ZodType): RouteConfig {
	return documentPage(page, 'application/json', envelopeOf(data));
}

/** A page that responds with a document of a standard form, without an envelope (docs/decisions/0005). */
export function documentPage(
	page: DocumentedPage,
	type: string,
	schema: z.ZodType = z.string(),
): RouteConfig {
	const { path, operationId, tag, summary, description } = page;
	return {
		method: 'get',
		path,
		operationId,
		tags: [tag],
		summary,
		...(description === undefined ? {} : { description }),
		security: [],
		responses: { 200: { description: summary, content: { [type]: { schema } } } },
	};
}
