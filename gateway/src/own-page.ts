import { envelopeOf, type RouteConfig } from '@paddock/service';
import { z } from 'zod';

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
		responses: { 200: { description: summary, content: { [type]: { schema } } } },
	};
}
