import { contextTable } from '../contexts.ts';
import { createRouteTable } from '../route-table.ts';
import type { Deployment } from './deployment.ts';

/** The prefix of the operators' pages in the committed documents. */
export const documentedOpsPrefix = '/actuator';

const everyContext = createRouteTable(contextTable);

/**
 * Where a path of the committed documents is found in this deployment; undefined = nowhere. A path without a context
 * is a page of the gateway's own.
 */
export function deployedPath(path: string, deployment: Deployment): string | undefined {
	const context = everyContext.contextOf(path);
	if (context !== undefined) {
		return deployment.contexts.some(({ name }) => name === context.name) ? path : undefined;
	}
	if (path === '/status') return deployment.statusPage ? path : undefined;
	if (!path.startsWith(`${documentedOpsPrefix}/`)) return path;
	return deployment.opsHere ? deployment.opsPrefix + path.slice(documentedOpsPrefix.length) : undefined;
}

/** Whether the committed documents are right for this deployment as they are. */
export function isDeployedWhole(deployment: Deployment, documentedContexts: readonly string[]): boolean {
	return (
		documentedContexts.every((documented) => deployment.contexts.some(({ name }) => name === documented)) &&
		deployment.opsPrefix === documentedOpsPrefix &&
		deployment.opsHere &&
		deployment.statusPage
	);
}
