import { apiError } from '@paddock/contract';
import type { TokenVerifier } from '@paddock/identity';
import { mountRoutes, type Route } from '@paddock/service';
import express, { type Router } from 'express';
import { type HealthPagesDeps, healthPages } from '../health/health-pages.ts';
import { type BreakerDeps, breakerRoutes } from './breaker-routes.ts';
import { type MetricsAccess, type MetricsDeps, metricsRoutes } from './metrics-routes.ts';
import { onlyMethods } from './only-methods.ts';

type RouteDeps = MetricsDeps & BreakerDeps;

export interface OperationsDeps extends HealthPagesDeps, RouteDeps, MetricsAccess {
	readonly prefix: `/${string}`;
	readonly verifier: TokenVerifier;
	readonly bodyBytesMax: number;
	readonly checkResponses: boolean;
}

/** Metrics, info and breakers. */
export function operationsRoutes(
	prefix: `/${string}`,
	access: MetricsAccess & { readonly forEverybody: boolean },
): readonly Route<RouteDeps>[] {
	return [...metricsRoutes(prefix, access), ...breakerRoutes(prefix, access)];
}

/** The operations pages; no address below the prefix is forwarded. */
export function operationsPages(deps: OperationsDeps): Router {
	const { prefix } = deps;
	const router = express.Router({ caseSensitive: true, strict: true });
	router.all([`${prefix}/health`, `${prefix}/health/:component`], onlyMethods('GET', 'HEAD'));
	router.use(healthPages(prefix, deps));
	const access = { ...deps, forEverybody: deps.details.forEverybody };
	mountRoutes(router, operationsRoutes(prefix, access), { ...deps, deps, refusesOptions: true });
	router.use(prefix, () => {
		throw apiError('ROUTE_NOT_FOUND');
	});
	return router;
}
