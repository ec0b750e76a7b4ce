import { commonErrors } from '@paddock/contract';
import { envelopeOf, failureResponses, type RouteConfig } from '@paddock/service';
import { z } from 'zod';

const healthStatus = z.enum(['UP', 'DEGRADED', 'DOWN', 'UNKNOWN']);
const healthReason = z.enum(['NO_INSTANCES', 'NO_HEALTH_ENDPOINT', 'ERROR', 'TIMEOUT', 'CIRCUIT_OPEN']);
const instantText = z.iso.datetime({ precision: 3 });

const breaker = z
	.strictObject({
		state: z.enum(['CLOSED', 'OPEN', 'HALF_OPEN']),
		since: instantText,
		failureRate: z
			.number()
			.min(0)
			.max(1)
			.optional()
			.meta({ description: 'Failures in the window; absent without a result.' }),
		nextTryAt: instantText.optional().meta({ description: 'When an open breaker admits a trial.' }),
	})
	.meta({ id: 'Breaker' });

const instanceHealth = z
	.strictObject({
		id: z.string(),
		address: z.string(),
		status: healthStatus,
		reason: healthReason.optional(),
		statusCode: z.int().optional().meta({ description: 'Of an answer that was not 200.' }),
		message: z.string().optional(),
		latencyMs: z.number().min(0),
		inFlight: z.int().min(0),
		breaker,
	})
	.meta({ id: 'InstanceHealth' });

const serviceHealth = z
	.strictObject({
		status: healthStatus,
		critical: z.boolean(),
		reason: healthReason.optional(),
		statusCode: z.int().optional(),
		message: z.string().optional(),
		latencyMs: z.number().min(0).optional(),
		instances: z.array(instanceHealth),
		discovery: z.strictObject({
			stale: z.boolean(),
			ageSeconds: z.number().min(0).nullable(),
			rejected: z.int().min(0),
		}),
	})
	.meta({ id: 'ServiceHealth' });

const discoveryHealth = z
	.strictObject({
		status: healthStatus,
		kind: z.enum(['consul', 'static']),
		leader: z.string().nullable(),
		ageSeconds: z
			.number()
			.min(0)
			.nullable()
			.meta({ description: 'Seconds since the registry vouched for what is shown.' }),
		stale: z.boolean(),
		message: z.string().optional(),
	})
	.meta({ id: 'DiscoveryHealth' });

const gatewayHealth = z
	.strictObject({
		status: healthStatus,
		version: z.string(),
		uptimeSeconds: z.number().min(0),
		draining: z.boolean(),
		eventLoopDelayMs: z.number().min(0),
		memoryBytes: z.int().min(0),
	})
	.meta({ id: 'GatewayHealth' });

const component = z.union([serviceHealth, discoveryHealth, gatewayHealth]);

const combinedHealth = z
	.strictObject({ status: healthStatus, components: z.record(z.string(), component) })
	.meta({ id: 'CombinedHealth' });

const liveness = z.strictObject({ status: healthStatus });
const readiness = z.strictObject({ status: healthStatus, draining: z.boolean() });

const portalIndex = z
	.strictObject({
		name: z.string(),
		version: z.string(),
		contexts: z.array(z.strictObject({ name: z.string(), url: z.string() })),
		links: z.strictObject({ openapi: z.string(), health: z.string(), metrics: z.string(), keys: z.string() }),
	})
	.meta({ id: 'PortalIndex' });

/** The failures that any page of the gateway's own can have. */
const ownFailures = failureResponses({
	AMBIGUOUS_PATH: commonErrors.AMBIGUOUS_PATH,
	METHOD_NOT_ALLOWED: commonErrors.METHOD_NOT_ALLOWED,
	INTERNAL_ERROR: commonErrors.INTERNAL_ERROR,
});

/** What the gateway answers itself, as its part of the OpenAPI document. */
export function ownRoutes(opsPrefix: string): readonly RouteConfig[] {
	return [
		jsonPage('/', 'portalIndex', 'portal', 'What this is and where to go on', portalIndex),
		textPage('/openapi.yaml', 'openapi', 'portal', 'This document', 'application/yaml'),
		healthPage(
			`${opsPrefix}/health`,
			'health',
			'Health of everything: 503 while a critical context is unusable',
			combinedHealth,
		),
		healthPage(`${opsPrefix}/health/liveness`, 'liveness', 'Whether this process lives', liveness),
		healthPage(
			`${opsPrefix}/health/readiness`,
			'readiness',
			'Whether this process should get traffic',
			readiness,
		),
		{
			...healthPage(
				`${opsPrefix}/health/{component}`,
				'componentHealth',
				'Health of one context, of discovery or of the gateway',
				component,
			),
			request: { params: z.object({ component: z.string().meta({ example: 'masterdata' }) }) },
			responses: {
				...healthResponses(component),
				...failureResponses({ NOT_FOUND: commonErrors.NOT_FOUND }),
			},
		},
		textPage(
			`${opsPrefix}/prometheus`,
			'prometheus',
			'operations',
			'Metrics in Prometheus text format',
			'text/plain',
		),
	];
}

function jsonPage(
	path: string,
	operationId: string,
	tag: string,
	summary: string,
	data: z.ZodType,
): RouteConfig {
	return {
		method: 'get',
		path,
		operationId,
		tags: [tag],
		summary,
		security: [],
		responses: {
			200: { description: summary, content: { 'application/json': { schema: envelopeOf(data) } } },
			...ownFailures,
		},
	};
}

function textPage(
	path: string,
	operationId: string,
	tag: string,
	summary: string,
	type: string,
): RouteConfig {
	return {
		method: 'get',
		path,
		operationId,
		tags: [tag],
		summary,
		security: [],
		responses: { 200: { description: summary, content: { [type]: { schema: z.string() } } }, ...ownFailures },
	};
}

function healthPage(path: string, operationId: string, summary: string, data: z.ZodType): RouteConfig {
	return {
		method: 'get',
		path,
		operationId,
		tags: ['operations'],
		summary,
		security: [],
		responses: healthResponses(data),
	};
}

// A health answer keeps its data when the status is bad: that is when somebody reads it.
function healthResponses(data: z.ZodType): RouteConfig['responses'] {
	const envelope = (success: boolean) =>
		z.strictObject({ success: z.literal(success), data, message: z.string(), timestamp: instantText });
	return {
		200: {
			description: 'UP, DEGRADED or UNKNOWN',
			content: { 'application/json': { schema: envelope(true) } },
		},
		503: { description: 'DOWN', content: { 'application/json': { schema: envelope(false) } } },
		...ownFailures,
	};
}
