import type { RouteConfig } from '@paddock/service';
import { z } from 'zod';
import { declaredHealthPages } from './health/declared-health-pages.ts';
import { declaredOperationsPages } from './operations/declared-operations-pages.ts';
import { documentPage, jsonPage } from './own-page.ts';

const portalIndex = z
	.strictObject({
		name: z.string(),
		version: z.string(),
		contexts: z.array(z.strictObject({ name: z.string(), url: z.string() })),
		links: z.strictObject({ openapi: z.string(), health: z.string(), metrics: z.string(), keys: z.string() }),
	})
	.meta({ id: 'PortalIndex' });

/** What the gateway answers itself, as its part of the OpenAPI document. */
export function ownRoutes(opsPrefix: string): readonly RouteConfig[] {
	return [...portalPages, ...declaredHealthPages(opsPrefix), ...declaredOperationsPages(opsPrefix)];
}

const portalPages: readonly RouteConfig[] = [
	jsonPage(
		{ path: '/', operationId: 'portalIndex', tag: 'portal', summary: 'What this is and where to go on' },
		portalIndex,
	),
	documentPage(
		{ path: '/openapi.yaml', operationId: 'openapi', tag: 'portal', summary: 'This document' },
		'application/yaml',
	),
];
