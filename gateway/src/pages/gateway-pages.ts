import { apiError } from '@paddock/contract';
import { mountRoutes, type Route, setContext, strictExpress } from '@paddock/service';
import type { Logger } from '@paddock/telemetry';
import type { Express, Request, Response } from 'express';
import { type Exchange, exchangeOf, setExchange } from '../exchange/exchange.ts';
import type { Step } from '../exchange/pipeline.ts';
import { formerHealthRoute, type OperationsDeps, operationsRoutes } from '../operations/operations-routes.ts';
import { profilingRoutes } from '../operations/profiling-routes.ts';
import { notFoundPage } from '../portal/not-found-page.ts';
import {
	assetRoute,
	consolePageRoutes,
	operationsRootRoute,
	type PortalDeps,
	portalRoutes,
	runbookRoute,
	statusRoute,
} from '../portal/portal-routes.ts';
import type { GatewayDeps, OperationsProcessDeps } from '../process/open-gateway.ts';
import type { PipelineDeps } from '../process/open-pipeline.ts';
import type { WorkerDeps } from '../process/open-worker.ts';
import { orPrimaryPage } from '../workers/primary-pages.ts';

type GatewayRoute = Route<OperationsDeps & PortalDeps>;

/** The gateway's own routes, for the OpenAPI document: with the access that HEALTH_DETAILS=always gives. */
export function documentedRoutes(opsPrefix: `/${string}`): readonly GatewayRoute[] {
	const operations = operationsRoutes(opsPrefix, { detailsArePublic: true });
	return [...portalRoutes({ statusPage: true, console: true }), ...operations];
}

/** The gateway's own pages on PORT: the last step for paths that belong to no context. */
export function gatewayPages(deps: GatewayDeps): Step {
	const operations = deps.config.OPS_PORT === undefined ? routesOfOperations(deps) : [];
	const app = expressApp(deps, { ...deps.operations, portal: deps.portal }, [
		...portalRoutes(deps.deployment),
		...loadedRoutes(deps),
		...operations,
	]);
	return pageStep(withNotFoundPage(app, deps), deps.logger);
}

/** Files and addresses of pages that are not part of the API. */
function loadedRoutes({ deployment }: PipelineDeps) {
	return [assetRoute, ...(deployment.console ? consolePageRoutes : [])];
}

/** A worker's own pages: the portal, its profiles and the former address of health. The primary process has the others. */
export function workerPages(deps: WorkerDeps): Step {
	const { config, operations, portal, logger, forwardPage } = deps;
	const prefix = config.OPS_PREFIX as `/${string}`;
	const ofProcess = [...profilingRoutes(prefix), formerHealthRoute(prefix)];
	const routes = [
		...portalRoutes(deps.deployment),
		...loadedRoutes(deps),
		...(config.OPS_PORT === undefined ? ofProcess : []),
	];
	const app = expressApp(deps, { ...operations, portal, logger }, routes);
	const own = pageStep(withNotFoundPage(app, deps), logger);
	if (forwardPage === undefined) return own;
	return orPrimaryPage(config.OPS_PREFIX, { body: deps.requestBody, forward: forwardPage, own });
}

export function operationsPages(deps: OperationsProcessDeps): Step {
	const status = deps.config.STATUS_PAGE ? [statusRoute, runbookRoute] : [];
	const routes = [operationsRootRoute, assetRoute, ...routesOfOperations(deps), ...status];
	return pageStep(expressApp(deps, { ...deps.operations, portal: deps.portal }, routes), deps.logger);
}

function routesOfOperations({ config, operations }: OperationsProcessDeps): readonly GatewayRoute[] {
	return operationsRoutes(config.OPS_PREFIX as `/${string}`, operations.access);
}

function withNotFoundPage(app: Express, { deployment, operations }: PipelineDeps): Express {
	return app.use(notFoundPage(deployment, operations.metrics.countRefusal));
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

export function pageStep(app: Express, logger: Logger): Step {
	return function pageStep(exchange, req, res) {
		exchange.gatewayHeaders.setOn(res);
		setExchange(req, exchange);
		// Express adds its own methods to both objects before it calls a route.
		const abort = new AbortController();
		setContext(req as Request, routeContext(exchange, logger, abort.signal));
		return new Promise((resolve, reject) => {
			res.once('close', () => {
				if (!res.writableFinished) abort.abort(new Error('The client disconnected.'));
				resolve('handled');
			});
			app(req as Request, res as Response, (error?: unknown) => {
				reject(error ?? apiError('ROUTE_NOT_FOUND'));
			});
		});
	};
}

/** The context that routes of libs/service read and write, on top of the exchange. */
function routeContext(exchange: Exchange, logger: Logger, signal: AbortSignal) {
	const { requestId, trace } = exchange;
	return {
		requestId,
		trace,
		log: logger.child({ requestId }),
		signal,
		get route() {
			return exchange.route;
		},
		set route(route: string | undefined) {
			exchange.route = route ?? 'unmatched';
		},
		get principal() {
			return exchange.principal;
		},
		set principal(principal) {
			exchange.principal = principal;
		},
	};
}
