import { z } from 'zod';

export const portalIndex = z
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

export const html = z.string().meta({ example: '<!doctype html>' });

// Postman's own formats, see https://schema.postman.com
export const postmanCollection = z
	.looseObject({ info: z.looseObject({ name: z.string() }), item: z.array(z.looseObject({})) })
	.meta({ id: 'PostmanCollection', example: { info: { name: 'Paddock' }, item: [] } });
export const postmanEnvironment = z
	.looseObject({ name: z.string(), values: z.array(z.looseObject({ key: z.string(), value: z.string() })) })
	.meta({
		id: 'PostmanEnvironment',
		example: { name: 'Paddock', values: [{ key: 'baseUrl', value: 'http://localhost:8080' }] },
	});

export const openapiDocument = z
	.looseObject({ openapi: z.string() })
	.meta({ id: 'OpenapiDocument', example: { openapi: '3.0.3' } });
