import type { Deployment } from './deployment.ts';

export const documentedOpsPrefix = '/actuator';

/** The path of a committed document's path in this deployment; undefined = not available. */
export function deployedPath(path: string, deployment: Deployment): string | undefined {
	const context = deployment.everyContext.contextOf(path);
	if (context !== undefined) {
		return deployment.contexts.some(({ name }) => name === context.name) ? path : undefined;
	}
	if (path === '/status' || path === '/runbook') return deployment.statusPage ? path : undefined;
	if (path === '/app') return deployment.console ? path : undefined;
	if (path === '/health') return deployment.opsHere ? path : undefined;
	if (path !== documentedOpsPrefix && !path.startsWith(`${documentedOpsPrefix}/`)) return path;
	return deployment.opsHere ? deployment.opsPrefix + path.slice(documentedOpsPrefix.length) : undefined;
}
