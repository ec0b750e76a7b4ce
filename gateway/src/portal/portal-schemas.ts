import { z } from 'zod';

const portalContext = z
	.strictObject({
		name: z.string().describe('Name of the context.'),
		url: z.string().describe('Prefix of its paths.'),
		openapi: z.string().describe('Path of its OpenAPI document.'),
	})
	.meta({ id: 'PortalContext', description: 'One context.' });

export const portalIndex = z
	.strictObject({
		name: z.string().describe('Name of the system.'),
		version: z.string().describe('Version of the gateway.'),
		contexts: z.array(portalContext).describe('Contexts of this deployment.'),
		links: z
			.strictObject({
				explorer: z.string().describe('The API explorer.'),
				openapi: z.string().describe('The OpenAPI document.'),
				collection: z.string().describe('The Postman collection.'),
				environment: z.string().describe('The variables of the collection.'),
				accounts: z
					.string()
					.optional()
					.meta({ description: 'The pages of accounts; absent if they are switched off.' }),
				status: z.string().optional().meta({ description: 'The status page; absent if it is switched off.' }),
				keys: z
					.string()
					.optional()
					.meta({ description: 'The key set of access tokens; absent without the context auth.' }),
				health: z
					.string()
					.optional()
					.meta({ description: 'Health; absent if operators have a port of their own.' }),
				metrics: z.string().optional().describe('Metrics; absent if operators have a port of their own.'),
			})
			.meta({ id: 'PortalLinks', description: 'Paths of pages and documents.' }),
	})
	.meta({
		id: 'PortalIndex',
		description: 'What this system is and where its pages are.',
		example: {
			name: 'Paddock',
			version: '0.1.0',
			contexts: [{ name: 'masterdata', url: '/api/masterdata', openapi: '/openapi/masterdata.yaml' }],
			links: {
				explorer: '/docs',
				accounts: '/app',
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

export const html = z.string().meta({ example: '<!doctype html>' });

export const contextsFileJsonSchema = z
	.looseObject({ type: z.string().describe('Type of the file: a list.') })
	.meta({
		id: 'ContextsFileSchema',
		description: 'JSON Schema.',
		example: { type: 'array', items: {} },
	});

// Postman's own formats, see https://schema.postman.com
export const postmanCollection = z
	.looseObject({
		info: z
			.looseObject({ name: z.string().describe('Name of the collection.') })
			.meta({ id: 'PostmanInfo', description: 'Head of the collection.' }),
		item: z
			.array(z.looseObject({}).meta({ id: 'PostmanItem', description: 'A folder or a request.' }))
			.describe('Folders.'),
	})
	.meta({
		id: 'PostmanCollection',
		description: 'A Postman collection, v2.1.',
		example: { info: { name: 'Paddock' }, item: [] },
	});
export const postmanEnvironment = z
	.looseObject({
		name: z.string().describe('Name of the environment.'),
		values: z
			.array(
				z
					.looseObject({
						key: z.string().describe('Name of the variable.'),
						value: z.string().describe('Its value.'),
					})
					.meta({ id: 'PostmanVariable', description: 'One variable.' }),
			)
			.describe('Variables.'),
	})
	.meta({
		id: 'PostmanEnvironment',
		description: 'A Postman environment.',
		example: { name: 'Paddock', values: [{ key: 'baseUrl', value: 'http://localhost:8080' }] },
	});

export const openapiDocument = z
	.looseObject({ openapi: z.string().describe('Version of the specification.') })
	.meta({ id: 'OpenapiDocument', description: 'An OpenAPI document.', example: { openapi: '3.0.3' } });
