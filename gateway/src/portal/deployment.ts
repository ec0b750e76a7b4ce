import type { GatewayConfig } from '../config/config.ts';
import type { Context } from '../contexts/context.ts';
import { type Contracts, deployedContexts } from '../contexts/contracts.ts';
import { createRouteTable, type RouteTable } from '../contexts/route-table.ts';

export interface Deployment {
	readonly version: string;
	readonly contexts: readonly Context[];
	readonly absentContexts: readonly string[];
	readonly everyContext: RouteTable;
	readonly opsPrefix: string;
	/** False if the operations pages are on a separate port, which pages of this origin can't reach. */
	readonly opsHere: boolean;
	/** False if the status page is off or on the operations port. */
	readonly statusPage: boolean;
	/** Whether it is on the operations port. */
	readonly opsStatusPage: boolean;
	readonly console: boolean;
	readonly production: boolean;
	readonly demo: boolean;
}

export function deploymentOf(config: GatewayConfig, { contexts }: Contracts, version: string): Deployment {
	const deployed = deployedContexts({ contexts }, config);
	const opsHere = config.OPS_PORT === undefined;
	return {
		version,
		contexts: deployed,
		absentContexts: contexts.filter((context) => !deployed.includes(context)).map(({ name }) => name),
		everyContext: createRouteTable(contexts),
		opsPrefix: config.OPS_PREFIX,
		opsHere,
		statusPage: config.STATUS_PAGE && opsHere,
		opsStatusPage: config.STATUS_PAGE && !opsHere,
		console: config.CONSOLE && deployed.some(({ name }) => name === 'auth'),
		production: config.NODE_ENV === 'production',
		demo: config.DEMO,
	};
}

/** Whether users sign in through this gateway. */
export function hasSignIn(deployment: Deployment): boolean {
	return deployment.contexts.some(({ name }) => name === 'auth');
}

export interface PageLink {
	readonly label: string;
	readonly path: string;
}

export const statusLink: PageLink = { label: 'Status', path: '/status' };

export function navigation(deployment: Deployment): readonly PageLink[] {
	const pages = [
		{ label: 'Start', path: '/' },
		...(deployment.console ? [{ label: 'Account', path: '/app' }] : []),
		{ label: 'API explorer', path: '/docs' },
	];
	return deployment.statusPage ? [...pages, statusLink] : pages;
}

export function contextOpenapiPath(name: string): `/${string}` {
	return `/openapi/${name}.yaml`;
}
