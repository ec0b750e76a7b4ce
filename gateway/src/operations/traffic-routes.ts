import { type Route, routesWith } from '@paddock/service';
import { z } from 'zod';
import type { HealthDetails } from '../health/health-details.ts';
import type { Traffic } from './traffic.ts';
import { traffic as trafficSchema } from './traffic-schemas.ts';

export interface TrafficRouteDeps {
	readonly traffic: Traffic;
	readonly details: HealthDetails;
}

const route = routesWith<TrafficRouteDeps>('operations');

/** `/traffic`: what the gateway has measured in the last minutes. */
export function trafficRoute(prefix: `/${string}`): Route<TrafficRouteDeps> {
	return route({
		method: 'get',
		path: `${prefix}/traffic`,
		operationId: 'traffic',
		summary: 'Requests, errors and durations per context over the last quarter of an hour',
		description: 'Of this gateway only; Prometheus has those of all gateways.',
		access: 'public',
		tokenOptional: 'ifVerifiable',
		query: z.looseObject({}),
		output: trafficSchema,
		message: 'Traffic of the last minutes',
		cacheControl: 'no-store',
		handler: ({ principal }, { traffic, details }) => {
			const { intervalMs, intervalsMax } = traffic;
			const shown = details.visibleTo(principal)
				? { contexts: traffic.read(), refusals: traffic.refusals() }
				: { contexts: {}, refusals: [] };
			return { intervalMs, intervalsMax, ...shown };
		},
	});
}
