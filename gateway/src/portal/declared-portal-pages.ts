import { commonErrors } from '@paddock/contract';
import { errorCodes, type RouteConfig } from '@paddock/service';
import { z } from 'zod';
import { documentPage, jsonPage } from '../documented-page.ts';

const tag = 'portal';

const portalIndex = z
	.strictObject({
		name: z.string(),
		version: z.string(),
		contexts: z.array(z.strictObject({ name: z.string(), url: z.string(), openapi: z.string() })),
		links: z.strictObject({
			explorer: z.string(),
			openapi: z.string(),
			collection: z.string(),
			environment: z.string(),
			status: z.string().optional().meta({ description: 'Absent where it is switched off.' }),
			keys: z.string().optional().meta({ description: 'Absent without the context auth.' }),
			health: z.string().optional().meta({ description: 'Absent where operators have a port of their own.' }),
			metrics: z.string().optional(),
		}),
	})
	.meta({
		id: 'PortalIndex',
		example: {
			name: 'Paddock',
			version: '0.1.0',
			contexts: [{ name: 'masterdata', url: '/api/masterdata', openapi: '/openapi/masterdata.yaml' }],
			links: {
				explorer: '/docs',
				openapi: '/openapi.yaml',
				collection: '/postman/collection.json',
				environment: '/postman/environment.json',
				status: '/status',
				keys: '/.well-known/jwks.json',
				health: '/actuator/health',
				metrics: '/actuator/prometheus',
			},
		},
	});

const html = z.string().meta({ example: '<!doctype html>' });
// Postman's own formats, see https://schema.postman.com
const postmanCollection = z
	.looseObject({ info: z.looseObject({ name: z.string() }), item: z.array(z.looseObject({})) })
	.meta({ id: 'PostmanCollection', example: { info: { name: 'Paddock' }, item: [] } });
const postmanEnvironment = z
	.looseObject({ name: z.string(), values: z.array(z.looseObject({ key: z.string(), value: z.string() })) })
	.meta({
		id: 'PostmanEnvironment',
		example: { name: 'Paddock', values: [{ key: 'baseUrl', value: 'http://localhost:8080' }] },
	});

const openapiDocument = z
	.looseObject({ openapi: z.string() })
	.meta({ id: 'OpenapiDocument', example: { openapi: '3.0.3' } });

/** The portal's pages, for the OpenAPI document. Files below /assets are not part of the API. */
export const declaredPortalPages: readonly RouteConfig[] = [
	indexPage(),
	page('/docs', 'explorer', 'The API explorer', 'text/html', html),
	page('/status', 'statusPage', 'How everything is, live, for people', 'text/html', html),
	page('/openapi.yaml', 'openapi', 'This document', 'application/yaml', openapiDocument),
	{
		...page(
			'/openapi/{context}.yaml',
			'contextOpenapi',
			'This document, one context only',
			'application/yaml',
			openapiDocument,
		),
		...errorCodes({ ROUTE_NOT_FOUND: commonErrors.ROUTE_NOT_FOUND }),
	},
	page(
		'/postman/collection.json',
		'postmanCollection',
		'Every operation as a Postman collection, in an order that runs',
		'application/json',
		postmanCollection,
	),
	page(
		'/postman/environment.json',
		'postmanEnvironment',
		'The variables of the collection, with the address by which you have come',
		'application/json',
		postmanEnvironment,
	),
];

/** JSON for programs, HTML for browsers. */
function indexPage(): RouteConfig {
	const json = jsonPage(
		{
			path: '/',
			operationId: 'portalIndex',
			tag,
			summary: 'What this is and where to go on',
			description: 'HTML for whoever prefers `text/html`, JSON for everybody else.',
		},
		portalIndex,
	);
	const success = json.responses[200];
	const content = success !== undefined && 'content' in success ? success.content : {};
	return {
		...json,
		responses: {
			...json.responses,
			200: { description: 'The entrance', content: { ...content, 'text/html': { schema: html } } },
		},
	};
}

function page(
	path: string,
	operationId: string,
	summary: string,
	type: string,
	schema: z.ZodType,
): RouteConfig {
	const declared = documentPage({ path, operationId, tag, summary }, type, schema);
	return {
		...declared,
		request: {
			...(path.includes('{context}')
				? { params: z.object({ context: z.string().meta({ example: 'masterdata' }) }) }
				: {}),
			headers: z.object({
				'If-None-Match': z
					.string()
					.optional()
					.meta({ description: 'The ETag that you have; unchanged = 304.' }),
			}),
		},
		responses: {
			...declared.responses,
			304: { $ref: '#/components/responses/NotModified' },
		},
	};
}
