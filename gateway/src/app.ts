import type { RequestListener } from 'node:http';
import type { TokenVerifier } from '@paddock/identity';
import { createRetryBudget } from '@paddock/resilience';
import { mountRoutes } from '@paddock/service';
import type { Logger, Tracing } from '@paddock/telemetry';
import express, { type Express } from 'express';
import { administrativeWrites } from './authentication/administrative-writes.ts';
import { authenticate, recognise } from './authentication/authenticate.ts';
import type { ResponseCache } from './cache/cached-forward.ts';
import type { GatewayConfig } from './config.ts';
import type { Context } from './contexts.ts';
import { type AccessEntries, accessLog } from './edge/access-log.ts';
import { type EventLoopDelay, loadShedding } from './edge/load-shedding.ts';
import { type RateLimiter, rateLimit, refreshRateLimit } from './edge/rate-limit.ts';
import { requestBody } from './edge/request-body.ts';
import { requestHygiene } from './edge/request-hygiene.ts';
import { requestLimits } from './edge/request-limits.ts';
import { stepWithSpan } from './edge/request-span.ts';
import { type IsTrustedPeer, requestStart } from './edge/request-start.ts';
import { crossOrigin, secured } from './edge/security-headers.ts';
import { errorResponder } from './errors.ts';
import { exchangeOf } from './exchange.ts';
import { gatewayPages } from './gateway-pages.ts';
import type { GatewayRoute } from './gateway-routes.ts';
import { type OperationsDeps, operationsRoutes } from './operations/operations-routes.ts';
import { type ErrorResponder, inOrder, type Step } from './pipeline.ts';
import type { Deployment } from './portal/deployment.ts';
import { notFoundPage } from './portal/not-found-page.ts';
import type { PortalDocuments } from './portal/portal-documents.ts';
import { assetRoute, portalRoutes, statusRoute } from './portal/portal-routes.ts';
import { proxy } from './proxy/proxy.ts';
import { createRouteTable, type RouteTable } from './route-table.ts';
import type { InstanceTable } from './upstream/instance-table.ts';

export interface GatewayDeps {
	readonly config: GatewayConfig;
	readonly contexts: readonly Context[];
	readonly table: InstanceTable;
	readonly verifier: TokenVerifier;
	readonly limiter: RateLimiter;
	readonly eventLoopDelay: EventLoopDelay;
	/** Undefined = no cache. */
	readonly cache: ResponseCache | undefined;
	readonly operations: OperationsDeps;
	readonly deployment: Deployment;
	readonly portal: PortalDocuments;
	readonly logger: Logger;
	readonly accessLines: AccessEntries;
	readonly tracing: Tracing;
	readonly now: () => Date;
	readonly random: () => number;
}

/**
 * The request pipeline. The order matters:
 *  1. request id and trace: identify the request in every later step
 *  2. access log and metrics: include requests that step 3 refuses
 *  3. hygiene: no later step sees an ambiguous path or header
 *  4. security headers, CORS: on every response; the error responder adds them to refusals of step 3
 *  5. limits: before anything is read or stored
 *  6. the context, else the gateway's pages behind the rate limit: the context defines which routes are public
 *  7. authentication: a route that isn't public requires a valid token
 *  8. rate limit: by user, so after authentication
 *  9. the request body: before a bulkhead slot is taken
 *     refreshes: their rate limit, by the token in the body
 *     administrative writes: the session, immediately before the service is called
 * 10. the response cache: counted by the rate limit, before an instance is chosen
 * 11.–14. instance, breaker, forward, retry, response
 */
export function createGateway(deps: GatewayDeps): RequestListener {
	const { config, logger, now } = deps;
	const routes = createRouteTable(deps.contexts);
	const headers = [secured(), crossOrigin(config.CORS_ORIGINS)];
	const operations = config.OPS_PORT === undefined ? ownOperations(deps) : [];
	const app = ownApp(deps, [...portalRoutes(deps.deployment), assetRoute, ...operations]);
	app.use(notFoundPage(deps.deployment, deps.operations.metrics.countRefusal));
	const respondError = errorResponder({
		logger,
		now,
		headers,
		app,
		onRefused: deps.operations.metrics.countRefusal,
	});
	const isTrustedPeer = trustedPeer(app);
	const exempt = unlimitedPaths(config);
	const pages = limited(gatewayPages(app, logger, respondError), { ...deps, exempt, respondError });
	// Without tracing, no step is wrapped.
	const spanned = deps.tracing.isOn ? stepWithSpan : (_name: string, step: Step) => step;
	const steps: readonly Step[] = [
		requestStart(startOf(deps, isTrustedPeer)), // 1
		accessLog(logOf(deps)), // 2
		requestHygiene(), // 3
		...headers, // 4
		requestLimits(limitsOf(config)), // 5
		shedding(deps, exempt),
		routeToContext(routes, pages), // 6
		spanned('authenticate', authenticate({ routes, verifier: deps.verifier, limiter: deps.limiter })), // 7
		spanned('rate limit', rateLimit(deps.limiter)), // 8
		requestBody(bodyOf(deps)), // 9
		refreshRateLimit(deps.limiter),
		administrativeWrites(deps.operations.sessions),
		proxy({
			table: deps.table,
			budget: createRetryBudget({ percent: config.RETRY_BUDGET_PERCENT, min: config.RETRY_BUDGET_MIN }),
			metrics: deps.operations.metrics,
			settings: {
				responseTimeoutMs: config.RESPONSE_TIMEOUT_MS,
				deadlineMs: config.DEADLINE_MS,
				idleTimeoutMs: config.IDLE_TIMEOUT_MS,
			},
			isTrustedPeer,
			random: deps.random,
			now,
			cache: deps.cache,
		}), // 10–14
	];
	return inOrder(steps, respondError);
}

/** The same first steps for the operations pages on `OPS_PORT`. Without limits, because that port is not published. */
export function createOperationsApp(deps: GatewayDeps): RequestListener {
	const { config, logger, now } = deps;
	const status = config.STATUS_PAGE ? [statusRoute, assetRoute] : [];
	const app = ownApp(deps, [...ownOperations(deps), ...status]);
	const headers = [secured()];
	const respondError = errorResponder({
		logger,
		now,
		headers,
		app,
		onRefused: deps.operations.metrics.countRefusal,
	});
	const steps: readonly Step[] = [
		requestStart(startOf(deps, trustedPeer(app))),
		accessLog(logOf(deps)),
		requestHygiene(),
		...headers,
		requestLimits(limitsOf(config)),
		gatewayPages(app, logger, respondError),
	];
	return inOrder(steps, respondError);
}

function ownOperations({ config, operations }: GatewayDeps): readonly GatewayRoute[] {
	return operationsRoutes(config.OPS_PREFIX as `/${string}`, operations.access);
}

/** The gateway's own pages are requested rarely and have many addresses, so Express routes them. */
function ownApp(deps: GatewayDeps, routes: readonly GatewayRoute[]): Express {
	const { config, operations, portal, verifier, now } = deps;
	const app = express();
	app.disable('x-powered-by');
	app.disable('etag');
	app.set('query parser', false);
	app.set('trust proxy', [...config.TRUSTED_PROXIES]);
	app.set('case sensitive routing', true);
	app.set('strict routing', true);
	mountRoutes(app, routes, {
		deps: { ...operations, portal },
		verifier,
		bodyBytesMax: config.BODY_BYTES_MAX,
		checkResponses: config.NODE_ENV !== 'production',
		now,
		refusesOptions: true,
	});
	return app;
}

function routeToContext(routes: RouteTable, gatewayPages: Step): Step {
	return function routeToContext(req, res) {
		const exchange = exchangeOf(req);
		exchange.context = routes.contextOf(exchange.path);
		if (exchange.context === undefined) return gatewayPages(req, res);
		exchange.route = routes.routeOf(exchange.context, exchange.path);
		return undefined;
	};
}

/** Orchestrators and load balancers call these every second, also while the gateway is overloaded. */
function unlimitedPaths({ OPS_PREFIX, OPS_PORT }: GatewayConfig): ReadonlySet<string> {
	if (OPS_PORT !== undefined) return new Set();
	return new Set([`${OPS_PREFIX}/health/liveness`, `${OPS_PREFIX}/health/readiness`]);
}

/** The gateway's pages behind the rate limit: by user with a valid token, else by address. */
function limited(
	pages: Step,
	deps: Pick<GatewayDeps, 'verifier' | 'limiter'> & {
		exempt: ReadonlySet<string>;
		respondError: ErrorResponder;
	},
): Step {
	const { verifier, limiter, exempt, respondError } = deps;
	const counted = inOrder([recognise(verifier), rateLimit(limiter), pages], respondError);
	return function limited(req, res) {
		if (exempt.has(exchangeOf(req).path)) return pages(req, res);
		counted(req, res);
		return 'handled';
	};
}

function startOf({ config, tracing }: GatewayDeps, isTrustedPeer: IsTrustedPeer) {
	return { isTrustedPeer, tracing, quietPrefix: `${config.OPS_PREFIX}/` };
}

function logOf({ config, operations, accessLines }: GatewayDeps) {
	return { lines: accessLines, metrics: operations.metrics, quietPrefix: `${config.OPS_PREFIX}/` };
}

function limitsOf(config: GatewayConfig) {
	return {
		urlBytesMax: config.URL_BYTES_MAX,
		headerBytesMax: config.HEADER_BYTES_MAX,
		bodyBytesMax: config.BODY_BYTES_MAX,
	};
}

function bodyOf({ config, operations }: GatewayDeps) {
	return {
		bytesMax: config.BODY_BYTES_MAX,
		bufferBytesMax: config.BODY_BUFFER_BYTES_MAX,
		rateMin: config.BODY_RATE_MIN,
		graceMs: config.BODY_GRACE_MS,
		onBuffered: operations.metrics.requestBodyBytes,
	};
}

function shedding(deps: GatewayDeps, exempt: ReadonlySet<string>): Step {
	return loadShedding({
		delay: deps.eventLoopDelay,
		delayMaxMs: deps.config.EVENT_LOOP_DELAY_MAX_MS,
		inFlightMax: deps.config.IN_FLIGHT_MAX,
		exempt,
		onInFlight: (inFlight) => deps.operations.metrics.requestsInFlight(inFlight),
	});
}

function trustedPeer(app: Express): IsTrustedPeer {
	const trusts: (address: string, hop: number) => boolean = app.get('trust proxy fn');
	return (address) => address !== undefined && trusts(address, 0);
}
