import type { ContextDescription } from '@paddock/contract';
import { isInternalRoute, type Route } from '@paddock/service';
import { routesOf } from './context-modules.ts';
import { contexts } from './contexts.ts';

// Not in context-modules.ts: whoever imports this file loads all services.

type RoutesByContext = Readonly<Record<string, readonly Route<never>[]>>;

const contextRoutes = await loadRoutes();

/** Routes reachable through the gateway, by context name, in the order of the documents. */
export const declaredRoutes: RoutesByContext = Object.fromEntries(
	Object.entries(contextRoutes).map(([name, routes]) => [
		name,
		routes.filter((route) => !isInternalRoute(route)),
	]),
);

/** Routes for calls between services; omitted from all documents. */
export const internalRoutes: readonly Route<never>[] = Object.values(contextRoutes)
	.flat()
	.filter(isInternalRoute);

export const contextTags: readonly { name: string; description: string }[] = contexts.flatMap(
	({ name, summary }: ContextDescription) =>
		[...new Set(declaredRoutes[name]?.map(({ tag }) => tag))].map((tag) => ({
			name: tag,
			description: summary,
		})),
);

export const contextOfPath: ReadonlyMap<string, string> = new Map(
	Object.entries(declaredRoutes).flatMap(([name, routes]) => routes.map(({ path }) => [path, name])),
);

async function loadRoutes(): Promise<RoutesByContext> {
	const routes: Record<string, readonly Route<never>[]> = {};
	for (const context of contexts) routes[context.name] = await routesOf(context);
	return routes;
}
