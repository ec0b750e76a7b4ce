import type { GatewayConfig } from '../config.ts';
import type { Context } from '../contexts.ts';

/** What one deployment of the gateway shows of itself: everything in the portal follows from it. */
export interface Deployment {
	readonly version: string;
	readonly contexts: readonly Context[];
	/** The prefix of the operators' pages. */
	readonly opsPrefix: string;
	/** False where the operators' pages have a port of their own, which browsers can't reach from a page of this one. */
	readonly opsHere: boolean;
	/** False where the status page is switched off or lives on the operators' port. */
	readonly statusPage: boolean;
	/** Whether the demo users may exist. */
	readonly production: boolean;
}

/** What follows from the settings. */
export function deploymentOf(
	config: GatewayConfig,
	contexts: readonly Context[],
	version: string,
): Deployment {
	const opsHere = config.OPS_PORT === undefined;
	return {
		version,
		contexts,
		opsPrefix: config.OPS_PREFIX,
		opsHere,
		statusPage: config.STATUS_PAGE && opsHere,
		production: config.NODE_ENV === 'production',
	};
}

/** Whether users sign in through this gateway. */
export function hasSignIn(deployment: Deployment): boolean {
	return deployment.contexts.some(({ name }) => name === 'auth');
}
