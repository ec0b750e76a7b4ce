import { isIPv6 } from 'node:net';
import { apiError, commonErrors } from '@paddock/contract';
import { anyMediaType, movedRoute, type Route, routesWith } from '@paddock/service';
import type { Request } from 'express';
import { z } from 'zod';
import { exchangeOf } from '../exchange/exchange.ts';
import { consolePages } from './console-page.ts';
import { contextOpenapiPath } from './deployment.ts';
import type { PortalDocuments } from './portal-documents.ts';
import {
	contextsFileJsonSchema,
	html,
	openapiDocument,
	portalIndex,
	postmanCollection,
	postmanEnvironment,
} from './portal-schemas.ts';
import type { StaticDocument } from './static-document.ts';

export interface PortalDeps {
	/** As they are now. */
	readonly portal: () => PortalDocuments;
}

const route = routesWith<PortalDeps>('portal');
const shared = {
	method: 'get',
	access: 'public',
	cacheControl: 'no-cache',
	// Links to pages may have parameters, e.g. of a campaign.
	query: z.looseObject({}),
} as const;

interface Page {
	readonly path: `/${string}`;
	readonly operationId: string;
	readonly summary: string;
	readonly message?: string;
	readonly type?: string;
	readonly schema?: z.ZodType;
	readonly of: (portal: PortalDocuments, req: Request) => StaticDocument;
}

/** JSON for programs, HTML for browsers. */
const indexRoute = route({
	...shared,
	path: '/',
	operationId: 'portalIndex',
	summary: 'Landing page: contexts and links',
	description: 'HTML for clients that prefer `text/html`, otherwise JSON.',
	output: portalIndex,
	message: 'Paddock, the gateway of the registration system',
	alternative: 'text/html',
	handler: ({ accepted }, { portal }) => {
		if (accepted !== 'text/html') return portal().index;
		return (res) => portal().landing(originOf(res.req)).send(res);
	},
});

const contextOpenapiRoute = route({
	...shared,
	path: contextOpenapiPath('{context}'),
	operationId: 'contextOpenapi',
	summary: 'This document, one context only',
	params: z.object({
		context: z.string().meta({ example: 'masterdata', description: 'Name of the context.' }),
	}),
	errors: { ROUTE_NOT_FOUND: commonErrors.ROUTE_NOT_FOUND },
	output: openapiDocument,
	message: 'This document, one context only',
	document: 'application/yaml',
	etag: 'content',
	handler: ({ params }, { portal }) => {
		const document = portal().contextOpenapi.get(params.context);
		if (document === undefined) throw apiError('ROUTE_NOT_FOUND');
		return (res) => document.send(res);
	},
});

export const assetRoute = route({
	...shared,
	path: '/assets/{file}',
	operationId: 'asset',
	summary: 'A file that a page loads',
	params: z.object({ file: z.string() }),
	output: z.string(),
	message: 'A file that a page loads',
	document: anyMediaType,
	cacheControl: 'public, max-age=300',
	handler: ({ params }, { portal }) => {
		const file = portal().assets.get(params.file);
		if (file === undefined) throw apiError('ROUTE_NOT_FOUND');
		return (res) => file.send(res);
	},
});

const consoleRoute = pageRoute({
	path: '/app',
	operationId: 'console',
	summary: 'Pages for people: sign-in, account, members, privacy',
	message: 'Pages for people',
	of: ({ console }) => console,
});

export const statusRoute = pageRoute({
	path: '/status',
	operationId: 'statusPage',
	summary: 'Live status page',
	of: ({ status }) => status,
});

/** The other pages of accounts than the documented one, which leads to them. */
export const consolePageRoutes = consolePages.map((page) =>
	pageRoute({
		path: `/app/${page}`,
		operationId: 'consolePage',
		summary: 'A page of accounts',
		of: ({ console }) => console,
	}),
);

export const operationsRootRoute = route({
	...shared,
	path: '/',
	operationId: 'operationsRoot',
	summary: 'Links to the operations pages',
	output: z.strictObject({ links: z.record(z.string(), z.string()) }),
	message: 'Operations of this gateway',
	alternative: 'text/html',
	handler: ({ accepted }, { portal }) => {
		const { operations } = portal();
		if (accepted !== 'text/html') return { links: operations.links };
		return (res) => operations.page.send(res);
	},
});

/** Where the status page leads in an incident. */
export const runbookRoute = pageRoute({
	path: '/runbook',
	operationId: 'runbookPage',
	summary: 'Runbook: what to do for each cause',
	of: ({ runbook }) => runbook,
});

export function portalRoutes(pages: {
	readonly statusPage: boolean;
	readonly console: boolean;
}): readonly Route<PortalDeps>[] {
	return [
		indexRoute,
		...(pages.console ? [consoleRoute] : []),
		pageRoute({
			path: '/docs',
			operationId: 'explorer',
			summary: 'The API explorer',
			of: ({ explorer }) => explorer,
		}),
		movedRoute({
			path: '/swagger',
			to: '/docs',
			operationId: 'formerExplorer',
			tag: 'portal',
			access: 'public',
			deprecated: { since: '2026-11-22', sunset: '2027-12-01' },
		}),
		...(pages.statusPage ? [statusRoute, runbookRoute] : []),
		pageRoute({
			path: '/openapi.yaml',
			operationId: 'openapi',
			summary: 'This document',
			type: 'application/yaml',
			schema: openapiDocument,
			of: ({ openapi }) => openapi,
		}),
		contextOpenapiRoute,
		pageRoute({
			path: '/postman/collection.json',
			operationId: 'postmanCollection',
			summary: 'Postman collection of all operations, in a runnable order',
			type: 'application/json',
			schema: postmanCollection,
			of: ({ collection }) => collection,
		}),
		pageRoute({
			path: '/contexts-file.schema.json',
			operationId: 'contextsFileSchema',
			summary: 'JSON Schema of the file that attaches services of other projects',
			type: 'application/schema+json',
			schema: contextsFileJsonSchema,
			of: ({ contextsFile }) => contextsFile,
		}),
		pageRoute({
			path: '/postman/environment.json',
			operationId: 'postmanEnvironment',
			summary: 'Variables of the collection, with the address of this request',
			type: 'application/json',
			schema: postmanEnvironment,
			of: ({ environment }, req) => environment(originOf(req)),
		}),
	];
}

function pageRoute({ type = 'text/html', schema = html, of, ...page }: Page): Route<PortalDeps> {
	return route({
		...shared,
		message: page.summary,
		...page,
		output: schema,
		document: type,
		etag: 'content',
		handler: (_request, { portal }) => {
			return (res) => of(portal(), res.req).send(res);
		},
	});
}

/** The address by which the client has come; a trusted proxy may report another than the one that it requested. */
function originOf(req: Request): string {
	// An HTTP/1.0 client may omit Host.
	const { protocol, host = req.headers.host ?? addressOf(req.socket) } = exchangeOf(req).client;
	return `${protocol}://${host}`;
}

function addressOf({ localAddress = 'localhost', localPort }: Request['socket']): string {
	return `${isIPv6(localAddress) ? `[${localAddress}]` : localAddress}:${localPort}`;
}
