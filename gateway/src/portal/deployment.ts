import type { GatewayConfig } from '../config/config.ts';
import type { Context } from '../contexts/context.ts';
import { type Contracts, deployedContexts } from '../contexts/contracts.ts';
import { createRouteTable, type RouteTable } from '../contexts/route-table.ts';

/** The parts of a deployment that the portal shows. */
export interface Deployment {
	readonly version: string;
	readonly contexts: readonly Context[];
	/** Names of the contexts that this deployment doesn't have. */
	readonly absentContexts: readonly string[];
	/** The route table of all contexts. */
	readonly everyContext: RouteTable;
	/** The prefix of the operations pages. */
	readonly opsPrefix: string;
	/** False if the operations pages are on a separate port, which pages of this origin can't reach. */
	readonly opsHere: boolean;
	/** False if the status page is off or on the operations port. */
	readonly statusPage: boolean;
	/** Whether it is on the operations port. */
	readonly opsStatusPage: boolean;
	/** Whether the pages of accounts are served. */
	readonly console: boolean;
	/** Whether the demo users may exist. */
	readonly production: boolean;
	/** Whether they do. */
	readonly demo: boolean;
}

/** Derives the deployment from the settings. */
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

/** One entry of the navigation of a page. */
export interface PageLink {
	readonly label: string;
	readonly path: string;
}

export const statusLink: PageLink = { label: 'Status', path: '/status' };

/** The pages for people that a deployment has. */
export function navigation(deployment: Deployment): readonly PageLink[] {
	const pages = [
		{ label: 'Start', path: '/' },
		...(deployment.console ? [{ label: 'Account', path: '/app' }] : []),
		{ label: 'API explorer', path: '/docs' },
	];
	return deployment.statusPage ? [...pages, statusLink] : pages;
}

/** The address of the OpenAPI document of one context. */
export function contextOpenapiPath(name: string): `/${string}` {
	return `/openapi/${name}.yaml`;
}
