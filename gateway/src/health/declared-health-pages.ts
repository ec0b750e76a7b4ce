import { commonErrors } from '@paddock/contract';
import { errorCodes, failureSchema, type RouteConfig } from '@paddock/service';
import { z } from 'zod';
import { documentPage, jsonPage } from '../documented-page.ts';
import {
	combinedHealth,
	component,
	healthEvent,
	healthHistory,
	healthStatus,
	latencySamples,
} from './declared-health-schemas.ts';

const liveness = z.strictObject({ status: healthStatus }).meta({ id: 'Liveness', example: { status: 'UP' } });
const readiness = z
	.strictObject({ status: healthStatus, draining: z.boolean() })
	.meta({ id: 'Readiness', example: { status: 'UP', draining: false } });

// If details are restricted, the page shows them with a token and responds in brief without one.
const optionalBearer = [{}, { bearer: [] }];

const streamDescription = `An event \`health\` at once and then every second; its data is the JSON of \`HealthEvent\`. An event
\`bye\` says that the gateway shuts down: connect again in a moment. Comments keep the connection alive.`;

/** The pages below `/health`, for the OpenAPI document. */
export function declaredHealthPages(prefix: string): readonly RouteConfig[] {
	const path = `${prefix}/health`;
	const tag = 'operations';
	return [
		healthPage(
			path,
			'health',
			'Health of everything: 503 while a critical context is unusable',
			combinedHealth,
		),
		probePage(`${path}/liveness`, 'liveness', 'Whether this process lives', liveness),
		probePage(`${path}/readiness`, 'readiness', 'Whether this process should get traffic', readiness),
		{
			...jsonPage(
				{
					path: `${path}/history`,
					operationId: 'healthHistory',
					tag,
					summary: 'The last changes of state with their causes, the newest first',
				},
				healthHistory,
			),
			security: optionalBearer,
		},
		{
			...jsonPage(
				{
					path: `${path}/samples`,
					operationId: 'healthSamples',
					tag,
					summary: 'Latency and state of every context over the last quarter of an hour',
				},
				latencySamples,
			),
			security: optionalBearer,
		},
		streamPage(`${path}/stream`),
		{
			...healthPage(
				`${path}/{component}`,
				'componentHealth',
				'Health of one context, of discovery or of the gateway',
				component,
			),
			request: { params: z.object({ component: z.string().meta({ example: 'masterdata' }) }) },
			...errorCodes({ NOT_FOUND: commonErrors.NOT_FOUND }),
		},
	];
}

function streamPage(path: string): RouteConfig {
	const page = documentPage(
		{
			path,
			operationId: 'healthStream',
			tag: 'operations',
			summary: 'Health as server-sent events',
			description: streamDescription,
		},
		'text/event-stream',
		healthEvent,
	);
	const events = z
		.int()
		.min(1)
		.max(999_999)
		.optional()
		.meta({ description: 'The stream ends after so many.', example: 2 });
	return {
		...page,
		security: optionalBearer,
		request: { query: z.object({ events }) },
		...errorCodes({ INVALID_QUERY_PARAMETER: commonErrors.INVALID_QUERY_PARAMETER }),
	};
}

function healthPage(path: string, operationId: string, summary: string, data: z.ZodType): RouteConfig {
	const page = jsonPage({ path, operationId, tag: 'operations', summary }, data);
	return {
		...page,
		security: optionalBearer,
		responses: downResponses(data, 'DOWN, or `OVERLOADED` with a `Retry-After`', failureSchema),
	};
}

/** Neither limited nor shed, and the same for all callers. */
function probePage(path: string, operationId: string, summary: string, data: z.ZodType): RouteConfig {
	const page = jsonPage({ path, operationId, tag: 'operations', summary }, data);
	return { ...page, security: [], responses: downResponses(data, 'DOWN') };
}

// A health response contains its data at 503 as well, because it is read during incidents.
function downResponses(
	data: z.ZodType,
	description: string,
	...others: readonly z.ZodType[]
): RouteConfig['responses'] {
	const envelope = (success: boolean) =>
		z.strictObject({
			success: z.literal(success),
			data,
			message: z.string(),
			timestamp: z.iso.datetime({ precision: 3 }),
		});
	const down = others.length === 0 ? envelope(false) : z.union([envelope(false), ...others]);
	return {
		200: {
			description: 'UP, DEGRADED or UNKNOWN',
			content: { 'application/json': { schema: envelope(true) } },
		},
		503: { description, content: { 'application/json': { schema: down } } },
	};
}
