import type { Route } from '@paddock/service';
import { type HealthDeps, healthRoutes } from '../health/health-routes.ts';
import { type BreakerAccess, type BreakerDeps, breakerRoutes } from './breaker-routes.ts';
import { type MetricsAccess, type MetricsDeps, metricsRoutes } from './metrics-routes.ts';
import { type TrafficRouteDeps, trafficRoute } from './traffic-routes.ts';

export interface OperationsDeps extends HealthDeps, MetricsDeps, BreakerDeps, TrafficRouteDeps {
	readonly access: OperationsAccess;
}

export interface OperationsAccess extends MetricsAccess, BreakerAccess {}

/** Health, metrics, info, traffic and breakers, below the prefix. */
export function operationsRoutes(
	prefix: `/${string}`,
	access: OperationsAccess,
): readonly Route<OperationsDeps>[] {
	return [
		...healthRoutes(prefix),
		...metricsRoutes(prefix, access),
		trafficRoute(prefix),
		...breakerRoutes(prefix, access),
	];
}
