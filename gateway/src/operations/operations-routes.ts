import type { Route } from '@paddock/service';
import { type HealthDeps, healthRoutes } from '../health/health-routes.ts';
import { type BreakerAccess, type BreakerDeps, breakerRoutes } from './breaker-routes.ts';
import { type MetricsAccess, type MetricsDeps, metricsRoutes } from './metrics-routes.ts';

export interface OperationsDeps extends HealthDeps, MetricsDeps, BreakerDeps {
	readonly access: OperationsAccess;
}

export interface OperationsAccess extends MetricsAccess, BreakerAccess {}

/** Health, metrics, info and breakers, below the prefix. */
export function operationsRoutes(
	prefix: `/${string}`,
	access: OperationsAccess,
): readonly Route<OperationsDeps>[] {
	return [...healthRoutes(prefix), ...metricsRoutes(prefix, access), ...breakerRoutes(prefix, access)];
}
