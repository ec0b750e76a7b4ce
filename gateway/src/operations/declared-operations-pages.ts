import { type CommonErrorCode, commonErrors } from '@paddock/contract';
import { envelopeOf, errorCodes, type RouteConfig } from '@paddock/service';
import { z } from 'zod';
import { documentPage, jsonPage } from '../own-page.ts';
import { breakerActions, breakerOrderBody } from './breaker-pages.ts';
import {
	breakerList,
	info,
	metricNames,
	metricReading,
	scrapeTargets,
} from './declared-operations-schemas.ts';

const tag = 'operations';
const needsRole = [
	'UNAUTHENTICATED',
	'INVALID_TOKEN',
	'TOKEN_EXPIRED',
	'TOKEN_REVOKED',
	'FORBIDDEN',
] as const satisfies readonly CommonErrorCode[];

/** Metrics, info and breakers, as their part of the OpenAPI document. */
export function declaredOperationsPages(prefix: string): readonly RouteConfig[] {
	return [
		jsonPage(
			{ path: `${prefix}/metrics`, operationId: 'metrics', tag, summary: 'The names of all metrics' },
			metricNames,
		),
		metricPage(`${prefix}/metrics/{name}`),
		jsonPage(
			{
				path: `${prefix}/info`,
				operationId: 'info',
				tag,
				summary: 'What is running: version, commit, contexts',
			},
			info,
		),
		documentPage(
			{
				path: `${prefix}/prometheus`,
				operationId: 'prometheus',
				tag,
				summary: 'Metrics in Prometheus text format',
			},
			'text/plain',
		),
		targetsPage(`${prefix}/prometheus/targets`),
		breakersPage(`${prefix}/breakers`),
		...breakerActions.map((action) => orderPage(`${prefix}/breakers/{context}/${action}`, action)),
	];
}

function metricPage(path: string): RouteConfig {
	const page = jsonPage(
		{
			path,
			operationId: 'metric',
			tag,
			summary: 'One metric, summed over the series that have the given tags',
			description: "In the shape of Micrometer's metrics endpoint; for graphs, scrape the Prometheus page.",
		},
		metricReading,
	);
	const query = z.object({
		tag: z
			.array(z.string().regex(/^[^:]+:/))
			.optional()
			.meta({ description: '`name:value`, any number of times.', example: ['method:GET'] }),
	});
	const params = z.object({ name: z.string().meta({ example: 'gateway_requests_total' }) });
	return {
		...page,
		request: { params, query },
		...codes('INVALID_QUERY_PARAMETER', 'NOT_FOUND'),
	};
}

function targetsPage(path: string): RouteConfig {
	const page = documentPage(
		{
			path,
			operationId: 'scrapeTargets',
			tag,
			summary: 'Gateways and services that Prometheus can scrape, in the form of its HTTP discovery',
			description:
				'With `HEALTH_DETAILS=authorized` for officers and administrators only, except on a port of its own.',
		},
		'application/json',
		scrapeTargets,
	);
	return { ...page, security: [{}, { bearer: [] }], ...codes(...needsRole) };
}

function breakersPage(path: string): RouteConfig {
	const page = jsonPage(
		{
			path,
			operationId: 'breakers',
			tag,
			summary: 'The circuit breakers of all instances, and the orders that stand',
			description: 'For officers and administrators only where details of health are.',
		},
		breakerList,
	);
	return { ...page, security: [{}, { bearer: [] }], ...codes(...needsRole) };
}

const summaries = {
	open: 'Force breakers open: nobody is let through',
	close: 'Force breakers closed: everybody is let through, whatever fails',
	auto: 'Let breakers decide themselves again',
} as const;

function orderPage(path: string, action: (typeof breakerActions)[number]): RouteConfig {
	return {
		method: 'post',
		path,
		operationId: `${action}Breakers`,
		tags: [tag],
		summary: summaries[action],
		description: 'Of all instances of a context, those to come included, or of one. It ends by itself.',

		'x-roles': ['ADMIN'],
		request: {
			params: z.object({ context: z.string().meta({ example: 'masterdata' }) }),
			query: z.object({
				instance: z.string().optional().meta({ description: 'The id of one instance, as health shows it.' }),
			}),
			body: { required: true, content: { 'application/json': { schema: breakerOrderBody } } },
		},
		responses: {
			200: {
				description: summaries[action],
				content: { 'application/json': { schema: envelopeOf(breakerList) } },
			},
		},
		...codes(
			...needsRole,
			'MALFORMED_JSON',
			'VALIDATION_ERROR',
			'INVALID_QUERY_PARAMETER',
			'NOT_FOUND',
			'PAYLOAD_TOO_LARGE',
			'UNSUPPORTED_MEDIA_TYPE',
		),
	};
}

function codes(...names: readonly CommonErrorCode[]) {
	return errorCodes(Object.fromEntries(names.map((name) => [name, commonErrors[name]])));
}
