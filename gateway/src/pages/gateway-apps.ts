import { mountRoutes, type Route, strictExpress } from '@paddock/service';
import type { Express } from 'express';
import { exchangeOf } from '../exchange/exchange.ts';
import { formerHealthRoute, type OperationsDeps, operationsRoutes } from '../operations/operations-routes.ts';
import { profilingRoutes } from '../operations/profiling-routes.ts';
import {
	assetRoute,
	operationsRootRoute,
	type PortalDeps,
	portalRoutes,
	runbookRoute,
	statusRoute,
} from '../portal/portal-routes.ts';
import type { GatewayDeps } from '../process/open-gateway.ts';
import type { PipelineDeps } from '../process/open-pipeline.ts';
import type { WorkerDeps } from '../process/open-worker.ts';

type GatewayRoute = Route<OperationsDeps & PortalDeps>;

/** The gateway's own routes, for the OpenAPI document: with the access that HEALTH_DETAILS=always gives. */
export function documentedRoutes(opsPrefix: `/${string}`): readonly GatewayRoute[] {
	const operations = operationsRoutes(opsPrefix, { detailsArePublic: true });
	return [...portalRoutes({ statusPage: true }), ...operations];
}

/** The gateway's own pages on PORT. */
export function gatewayApp(deps: GatewayDeps): Express {
	const operations = deps.config.OPS_PORT === undefined ? operationsPages(deps) : [];
	return expressApp(deps, { ...deps.operations, portal: deps.portal }, [
		...portalRoutes(deps.deployment),
		assetRoute,
		...operations,
	]);
}

/** A worker's own pages: the portal, its profiles and the former address of health. */
export function workerApp(deps: WorkerDeps): Express {
	const { config, operations, portal, logger } = deps;
	const prefix = config.OPS_PREFIX as `/${string}`;
	const ofProcess = [...profilingRoutes(prefix), formerHealthRoute(prefix)];
	const routes = [
		...portalRoutes(deps.deployment),
		assetRoute,
		...(config.OPS_PORT === undefined ? ofProcess : []),
	];
	return expressApp(deps, { ...operations, portal, logger }, routes);
}

/** The operations pages on a port of their own. */
export function operationsApp(deps: GatewayDeps): Express {
	const status = deps.config.STATUS_PAGE ? [statusRoute, runbookRoute] : [];
	const pages = [operationsRootRoute, assetRoute, ...operationsPages(deps), ...status];
	return expressApp(deps, { ...deps.operations, portal: deps.portal }, pages);
}

function operationsPages({ config, operations }: GatewayDeps): readonly GatewayRoute[] {
	return operationsRoutes(config.OPS_PREFIX as `/${string}`, operations.access);
}

/** The gateway's own pages are requested rarely and have many addresses, so Express routes them. */
function expressApp<Deps>(deps: PipelineDeps, routeDeps: Deps, routes: readonly Route<Deps>[]): Express {
	const { config, verifier, now } = deps;
	const app = strictExpress(config.TRUSTED_PROXIES);
	mountRoutes(app, routes, {
		deps: routeDeps,
		verifier,
		bodyBytesMax: config.BODY_BYTES_MAX,
		checkResponses: config.NODE_ENV !== 'production',
		now,
		addressOf: (req) => exchangeOf(req).client.address,
	});
	redirectSlashes(app, routes);
	return app;
}

/** People type the addresses of HTML pages with a slash at the end; all other addresses have one spelling. */
function redirectSlashes(app: Express, routes: readonly Route<never>[]): void {
	for (const { path } of routes.filter(({ document }) => document === 'text/html')) {
		const withSlash = `${path}/`;
		app.get(withSlash, (req, res) => {
			exchangeOf(req).route = path;
			res.redirect(308, path + req.url.slice(withSlash.length));
		});
	}
}
