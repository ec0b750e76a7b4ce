import { loggerFields } from '@paddock/service';
import { z } from 'zod';
import { accessEntry } from '../edge/access-entry.ts';
import { instantDate } from '../health/breaker-schemas.ts';

export const operationsIndex = z
	.strictObject({
		links: z
			.array(
				z
					.strictObject({
						rel: z.string().describe('Operation id of the page.'),
						href: z.string().describe('Path of the page.'),
						templated: z.boolean().describe('Whether the path has parameters in braces.'),
						summary: z.string().describe('Content of the page.'),
					})
					.meta({ id: 'OperationsLink', description: 'Link to one operations page.' }),
			)
			.describe('Links to the pages that a GET reads.'),
	})
	.meta({
		id: 'OperationsIndex',
		description: 'Links to the operations pages.',
		example: {
			links: [{ rel: 'health', href: '/actuator/health', templated: false, summary: 'Combined health' }],
		},
	});

const contextMapping = z
	.strictObject({
		name: z.string().describe('Name of the context.'),
		prefixes: z.array(z.string()).describe('Path prefixes that are forwarded to the context.'),
		service: z.string().describe('Name of its service in the registry.'),
		critical: z.boolean().describe('Whether the system is DOWN without it.'),
		publicRoutes: z
			.array(z.string())
			.describe('Methods and paths that need no token; all others need a valid access token.'),
		responseTimeoutMs: z.int().describe('Timeout for the response headers of one attempt, in milliseconds.'),
	})
	.meta({ id: 'ContextMapping', description: 'Routes and limits of one context.' });

const pageMapping = z
	.strictObject({
		method: z.string().describe('HTTP method.'),
		path: z.string().describe('Path, with parameters in braces.'),
		operationId: z.string().describe('Operation id, as in the OpenAPI document.'),
		access: z
			.array(z.string())
			.describe(
				'Roles of which the caller needs one; empty if the page is public, `any` for any valid token.',
			),
	})
	.meta({ id: 'PageMapping', description: 'One page of the gateway.' });

const rateLimits = z
	.strictObject({
		signIn: z.int().describe('Sign-ins and registrations per client address.'),
		anonymous: z.int().describe('Requests without a token per client address.'),
		user: z.int().describe('Requests per user.'),
		officer: z.int().describe('Requests per federation officer or administrator.'),
	})
	.meta({ id: 'RateLimitsPerMinute', description: 'Rate limits a minute; 0 = no limit.' });

export const mappings = z
	.strictObject({
		contexts: z.array(contextMapping).describe('Contexts behind the gateway.'),
		pages: z.array(pageMapping).describe('Pages of the gateway on this port.'),
		limits: z
			.strictObject({
				bodyBytesMax: z.int().describe('Maximum size of a request body in bytes.'),
				urlBytesMax: z.int().describe('Maximum length of a path with its query in bytes.'),
				headerBytesMax: z.int().describe('Maximum total size of the request headers in bytes.'),
				deadlineMs: z.int().describe('Timeout of a request with all attempts, in milliseconds.'),
				perMinute: rateLimits,
			})
			.meta({ id: 'RequestLimits', description: 'Limits of every request.' }),
	})
	.meta({
		id: 'Mappings',
		description: 'Routes of the gateway with their access and limits.',
		example: {
			contexts: [
				{
					name: 'masterdata',
					prefixes: ['/api/masterdata'],
					service: 'masterdata-service',
					critical: true,
					publicRoutes: ['GET /api/masterdata/countries'],
					responseTimeoutMs: 5_000,
				},
			],
			pages: [{ method: 'GET', path: '/actuator/env', operationId: 'settings', access: ['ADMIN'] }],
			limits: {
				bodyBytesMax: 102_400,
				urlBytesMax: 8_192,
				headerBytesMax: 16_384,
				deadlineMs: 8_000,
				perMinute: { signIn: 20, anonymous: 100, user: 300, officer: 1_000 },
			},
		},
	});

export const settingsReport = z
	.strictObject({
		settings: z
			.array(
				z
					.strictObject({
						name: z.string().describe('Name of the setting.'),
						value: z.string().nullable().describe('Effective value; secrets are masked; null = not set.'),
						source: z
							.enum(['environment', 'default'])
							.meta({ id: 'SettingSource', description: 'Source of the value of a setting.' }),
					})
					.meta({ id: 'Setting', description: 'One setting of the gateway.' }),
			)
			.describe('Settings in the order of the documentation.'),
	})
	.meta({
		id: 'Settings',
		description: 'Effective settings of this gateway process.',
		example: { settings: [{ name: 'RATE_LIMIT_USER', value: '300', source: 'default' }] },
	});

const logger = z.strictObject(loggerFields).meta({
	id: 'LoggerLevel',
	description: 'Log level of one process: of the setting LOG_LEVEL and in effect.',
	example: { name: 'gateway', configuredLevel: 'info', effectiveLevel: 'info' },
});

export const loggers = z.array(logger).meta({ id: 'LoggerLevels', description: 'Log levels by process.' });

const httpExchange = z
	.strictObject({
		at: instantDate.describe('When the request ended, in UTC.'),
		...accessEntry,
	})
	.meta({
		id: 'HttpExchange',
		description: 'One request and its response, without headers and bodies.',
	});

export const httpExchanges = z
	.strictObject({
		exchanges: z.array(httpExchange).describe('The last requests of this gateway process, the newest first.'),
	})
	.meta({
		id: 'HttpExchanges',
		description: 'The last requests, as the access log has them.',
		example: {
			exchanges: [
				{
					at: '2026-03-01T08:15:00.000Z',
					requestId: '3f0c9a4e-0b62-4e43-9a43-1b3f0f6d7c55',
					method: 'GET',
					path: '/api/masterdata/countries',
					route: '/api/masterdata',
					status: 200,
					durationMs: 3.1,
				},
			],
		},
	});
