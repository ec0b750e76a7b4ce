import { movedRoute, type Route } from '@paddock/service';
import { type HealthDeps, healthRoutes } from '../health/health-routes.ts';
import type { GatewayMetrics } from '../metrics/metrics.ts';
import { type BreakerDeps, breakerRoutes } from './breaker-routes.ts';
import { type ContextsDeps, contextsRoute } from './contexts-routes.ts';
import { type IntrospectionDeps, introspectionRoutes } from './introspection-routes.ts';
import { type JobsDeps, jobsRoutes } from './jobs-routes.ts';
import { type MetricsDeps, metricsRoutes } from './metrics-routes.ts';
import type { OperationsAccess } from './operations-access.ts';
import { profilingRoutes } from './profiling-routes.ts';

export interface OperationsDeps
	extends HealthDeps,
		MetricsDeps,
		BreakerDeps,
		JobsDeps,
		ContextsDeps,
		IntrospectionDeps {
	readonly metrics: GatewayMetrics;
	readonly access: OperationsAccess;
}

/** Links at the prefix; health, metrics, info, traffic, breakers, gateways, contexts, introspection and profiles below it. */
export function operationsRoutes(
	prefix: `/${string}`,
	access: OperationsAccess,
): readonly Route<OperationsDeps>[] {
	const routes = [
		...healthRoutes(prefix),
		...metricsRoutes(prefix, access),
		...breakerRoutes(prefix, access),
		contextsRoute(prefix, access),
		...jobsRoutes(prefix),
		...profilingRoutes(prefix),
		formerHealthRoute(prefix),
	];
	return [...introspectionRoutes(prefix, routes), ...routes];
}

/** Outside the prefix, so each worker has it. */
export function formerHealthRoute(prefix: `/${string}`): Route<unknown> {
	return movedRoute({
		path: '/health',
		to: `${prefix}/health`,
		operationId: 'formerHealth',
		tag: 'operations',
		access: 'public',
		deprecated: { since: '2026-11-22', sunset: '2027-12-01' },
	});
}
