import { apiError } from '@paddock/contract';
import type { Principal } from '@paddock/identity';
import { clientNetwork, queryInteger, type Route, routesWith } from '@paddock/service';
import { z } from 'zod';
import { exchangeOf } from '../exchange/exchange.ts';
import type { HealthView } from './combined-health.ts';
import { briefChange, briefHealth, type HealthDetails } from './health-details.ts';
import type { HealthHistory } from './health-history.ts';
import { healthEvent, healthHistory, latencySamples } from './health-history-schemas.ts';
import { combinedHealth, component, type HealthStatus, liveness, readiness } from './health-schemas.ts';
import type { HealthStream } from './health-stream.ts';
import type { LatencySamples } from './latency-samples.ts';

export interface HealthDeps {
	readonly view: HealthView;
	readonly history: HealthHistory;
	readonly stream: HealthStream;
	readonly samples: LatencySamples;
	readonly details: HealthDetails;
	readonly ready: () => boolean;
	readonly draining: () => boolean;
}

const route = routesWith<HealthDeps>('operations');
// Monitors may add query parameters, e.g. against caches.
const anyQuery = z.looseObject({});
const shared = {
	method: 'get',
	access: 'public',
	cacheControl: 'no-store',
	query: anyQuery,
} as const;
// Health must be visible while auth is down.
const detailed = {
	...shared,
	tokenOptional: 'ifVerifiable',
	readers: ({ principal }: { readonly principal: Principal | undefined }, { details }: HealthDeps) =>
		details.visibleTo(principal),
} as const;
const byStatus = {
	description: '503 if the status is DOWN.',
	message: ({ status }: { status: HealthStatus }) => `Status ${status}`,
	unavailableIf: ({ status }: { status: HealthStatus }) => status === 'DOWN',
};

/** The pages at and below `/health`; 503 if the status is DOWN. */
export function healthRoutes(prefix: `/${string}`): readonly Route<HealthDeps>[] {
	const path = `${prefix}/health` as const;
	return [
		route({
			...detailed,
			...byStatus,
			path,
			operationId: 'health',
			summary: 'Combined health; 503 if a critical context is down',
			output: combinedHealth,
			handler: ({ viewer }, deps) => readHealth(viewer, deps),
		}),
		...probeRoutes(path),
		...pastRoutes(path),
		streamRoute(`${path}/stream`),
		route({
			...detailed,
			...byStatus,
			path: `${path}/{component}`,
			operationId: 'componentHealth',
			summary: 'Health of one context, of discovery or of the gateway',
			params: z.object({
				component: z.string().meta({
					example: 'masterdata',
					description: 'Name of a context, `discovery` or `gateway`.',
				}),
			}),
			output: component,
			handler: async ({ params, viewer }, deps) => {
				const { components } = await readHealth(viewer, deps);
				const found = Object.hasOwn(components, params.component) ? components[params.component] : undefined;
				if (found !== undefined) return found;
				throw apiError('NOT_FOUND', {
					message: 'There is no such component.',
					context: { components: Object.keys(components) },
				});
			},
		}),
	];
}

async function readHealth(seesDetails: boolean, deps: HealthDeps) {
	const { health } = await deps.view.read();
	return seesDetails ? health : briefHealth(health);
}

/** Liveness concerns this process only: gateways must not be restarted because the registry is down. */
function probeRoutes(path: `/${string}`): readonly Route<HealthDeps>[] {
	return [
		route({
			...shared,
			path: `${path}/liveness`,
			operationId: 'liveness',
			summary: 'Liveness of this process',
			output: liveness,
			message: byStatus.message,
			handler: () => ({ status: 'UP' as const }),
		}),
		route({
			...shared,
			...byStatus,
			path: `${path}/readiness`,
			operationId: 'readiness',
			summary: 'Readiness of this process for traffic',
			output: readiness,
			handler: (_request, deps) => {
				const draining = deps.draining();
				return { status: deps.ready() && !draining ? ('UP' as const) : ('DOWN' as const), draining };
			},
		}),
	];
}

function pastRoutes(path: `/${string}`): readonly Route<HealthDeps>[] {
	return [
		route({
			...detailed,
			path: `${path}/history`,
			operationId: 'healthHistory',
			summary: 'The last changes of state with their causes, the newest first',
			output: healthHistory,
			message: 'The last changes of state, the newest first',
			handler: ({ viewer }, { history }) => {
				const changes = history.list();
				return { items: viewer ? changes : changes.map(briefChange) };
			},
		}),
		route({
			...detailed,
			path: `${path}/samples`,
			operationId: 'healthSamples',
			summary: 'Latency and state of every context over the last quarter of an hour',
			output: latencySamples,
			message: 'Latencies of the last minutes',
			handler: ({ viewer }, { samples }) => {
				const { slotMs, slotsMax } = samples;
				return { slotMs, slotsMax, contexts: viewer ? samples.read() : {} };
			},
		}),
	];
}

const streamDescription = `An event \`health\` at once and then every second; its data is the JSON of \`HealthEvent\`. An event
\`bye\` says that the gateway shuts down: connect again in a moment. Comments keep the connection alive.`;

function streamRoute(path: `/${string}`): Route<HealthDeps> {
	return route({
		...detailed,
		path,
		operationId: 'healthStream',
		summary: 'Health as server-sent events',
		description: streamDescription,
		query: anyQuery.extend({
			events: queryInteger(1, 999_999)
				.optional()
				.meta({ description: 'The stream ends after so many.', example: 2 }),
		}),
		output: healthEvent,
		message: 'Health as server-sent events',
		document: 'text/event-stream',
		cacheControl: 'no-store, no-transform',
		handler: ({ query }, { stream, details }) => {
			return (res) => {
				if (res.req.method === 'HEAD') {
					res.type('text/event-stream').end();
					return;
				}
				stream.add(res, {
					network: clientNetwork(exchangeOf(res.req).client.address),
					seesDetails: () => details.nowVisibleTo(res.req.headers.authorization),
					eventsMax: query.events,
				});
			};
		},
	});
}
