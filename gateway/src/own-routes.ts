import type { RouteConfig } from '@paddock/service';
import { declaredHealthPages } from './health/declared-health-pages.ts';
import { declaredOperationsPages } from './operations/declared-operations-pages.ts';
import { declaredPortalPages } from './portal/declared-portal-pages.ts';

/** What the gateway answers itself, as its part of the OpenAPI document. */
export function ownRoutes(opsPrefix: string): readonly RouteConfig[] {
	return [...declaredPortalPages, ...declaredHealthPages(opsPrefix), ...declaredOperationsPages(opsPrefix)];
}
