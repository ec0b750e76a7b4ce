import type { Deployment } from './deployment.ts';
import type { PageLink } from './page-frame.ts';

/** The pages for people that a deployment has. */
export function navigation(deployment: Deployment): readonly PageLink[] {
	const status: PageLink[] = deployment.statusPage ? [{ label: 'Status', path: '/status' }] : [];
	return [{ label: 'Start', path: '/' }, { label: 'API explorer', path: '/docs' }, ...status];
}

/** The address of the OpenAPI document of one context. */
export function contextOpenapiPath(name: string): `/${string}` {
	return `/openapi/${name}.yaml`;
}
