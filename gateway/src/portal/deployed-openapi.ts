import { contextNames, contextTable } from '../contexts.ts';
import { createRouteTable } from '../route-table.ts';
import { deployedPath, isDeployedWhole } from './deployed-paths.ts';
import type { Deployment } from './deployment.ts';
import { partOfOpenapi } from './part-of-openapi.ts';

/** openapi.yaml without the operations that this deployment doesn't have. */
export function deployedOpenapi(committed: string, deployment: Deployment): string {
	if (isDeployedWhole(deployment, contextNames)) return committed;
	return partOfOpenapi(committed, 'Paddock', (path) => deployedPath(path, deployment));
}

const everyContext = createRouteTable(contextTable);

/** openapi.yaml with the operations of one context. */
export function contextOpenapi(committed: string, name: string): string {
	return partOfOpenapi(committed, `Paddock ${name}`, (path) =>
		everyContext.contextOf(path)?.name === name ? path : undefined,
	);
}
