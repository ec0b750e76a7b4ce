import type { Route, RouteConfig } from '@paddock/service';
import { declaredHealthPages } from './health/declared-health-pages.ts';
import { operationsRoutes } from './operations/operations-pages.ts';
import { declaredPortalPages } from './portal/declared-portal-pages.ts';

/** The gateway's own pages, for the OpenAPI document. */
export function documentedPages(opsPrefix: string): readonly RouteConfig[] {
	return [...declaredPortalPages, ...declaredHealthPages(opsPrefix)];
}

/** The gateway's own routes, for the OpenAPI document: with the access that HEALTH_DETAILS=always gives. */
export function gatewayRoutes(opsPrefix: `/${string}`): readonly Route<never>[] {
	return operationsRoutes(opsPrefix, { forEverybody: true, targetsForEverybody: true });
}
