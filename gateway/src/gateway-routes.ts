import type { Route } from '@paddock/service';
import { type OperationsDeps, operationsRoutes } from './operations/operations-routes.ts';
import { type PortalDeps, portalRoutes } from './portal/portal-routes.ts';

export type GatewayRoute = Route<OperationsDeps & PortalDeps>;

/** The gateway's own routes, for the OpenAPI document: with the access that HEALTH_DETAILS=always gives. */
export function documentedRoutes(opsPrefix: `/${string}`): readonly GatewayRoute[] {
	const access = { forEverybody: true, targetsForEverybody: true };
	return [...portalRoutes({ statusPage: true }), ...operationsRoutes(opsPrefix, access)];
}
