import type { RequestListener } from 'node:http';
import { apiError } from '@paddock/contract';
import { createRetryBudget } from '@paddock/resilience';
import { advertisedAddress, createClientOf, trustedProxyOf, unusableElements } from '@paddock/service';
import {
	administrativeWrites,
	authenticate,
	declaredOperation,
	describedRequest,
	recognise,
} from './authentication/authenticate.ts';
import type { GatewayConfig } from './config/config.ts';
import type { RouteTable } from './contexts/route-table.ts';
import { accessLog } from './edge/access-log.ts';
import { requestHygiene, requestLimits } from './edge/request-hygiene.ts';
import { crossOrigin, securityHeaders } from './edge/security-headers.ts';
import { selfAddresses } from './edge/self-addresses.ts';
import { errorResponder } from './exchange/error-responder.ts';
import { exchangeOf, requestStart } from './exchange/exchange.ts';
import { type ErrorResponder, inOrder, type Step, stepWithSpan } from './exchange/pipeline.ts';
import { loadShedding } from './limits/load-shedding.ts';
import { rateLimit, refreshRateLimit } from './limits/rate-limit.ts';
import { requestBody } from './limits/request-body.ts';
import { gatewayApp, operationsApp, workerApp } from './pages/gateway-apps.ts';
import { gatewayPages } from './pages/gateway-pages.ts';
import { notFoundPage } from './portal/not-found-page.ts';
import type { GatewayDeps } from './process/open-gateway.ts';
import type { PipelineDeps } from './process/open-pipeline.ts';
import type { WorkerDeps } from './process/open-worker.ts';
import { proxy } from './proxy/proxy.ts';
import { orPrimaryPage } from './workers/primary-pages.ts';

/**
 * The request pipeline. The order matters:
 *  1. request id and trace: identify the request in every later step; with them the security headers of every response
 *  2. access log and metrics: include requests that step 3 refuses
 *  3. hygiene: no later step sees an ambiguous path or header
 *  4. CORS: on every response; the error responder adds its headers to refusals of step 3
 *  5. the context and the declared path: refusals of step 6 count against the objective of that context
 *  6. limits, load shedding: before anything is read or stored; then the gateway's own pages behind the rate limit
 *  7. authentication: a route that isn't public requires a valid token
 *  8. rate limit: by user, so after authentication; then the operations of an attached service, and the roles that they require
 *  9. the request body: before a bulkhead slot is taken
 *     requests to an attached service: against its contract
 *     refreshes: their rate limit, by the token in the body
 *     administrative writes: the session, immediately before the service is called
 * 10. the response cache: counted by the rate limit, before an instance is chosen
 * 11.–14. instance, breaker, forward, retry, response
 */
export function createGateway(deps: GatewayDeps | WorkerDeps): RequestListener {
	const { config, logger, now } = deps;
	const { metrics } = deps.operations;
	const { routes } = deps;
	const cors = config.CORS_ORIGINS.length === 0 ? undefined : crossOrigin(config.CORS_ORIGINS);
	const app = 'forwardPage' in deps ? workerApp(deps) : gatewayApp(deps);
	app.use(notFoundPage(deps.deployment, metrics.countRefusal));
	const respondError = errorResponder({
		logger,
		now,
		crossOrigin: cors,
		app,
		onRefused: metrics.countRefusal,
	});
	const exempt = unlimitedPaths(config);
	const body = requestBody(config, metrics.requestBodyBytes);
	const own = gatewayPages(app, logger, respondError);
	const pages = limited(withPrimaryPages(deps, { body, own }), { ...deps, exempt, respondError });
	// Without tracing, no step is wrapped.
	const spanned = deps.tracing.isOn ? stepWithSpan : (_name: string, step: Step) => step;
	const steps: readonly Step[] = [
		requestStart(startOf(deps, trustedProxyOf(app))), // 1
		accessLog(logOf(deps)), // 2
		requestHygiene(), // 3
		...(cors === undefined ? [] : [cors]), // 4
		matchedRoute(routes), // 5
		requestLimits(config), // 6
		loadShedding({ config, delay: deps.eventLoopDelay, exempt, onInFlight: metrics.requestsInFlight }),
		pagesUnlessContext(pages),
		spanned(
			'authenticate',
			authenticate({
				routes,
				listsMethods: cors === undefined,
				verifier: deps.verifier,
				limiter: deps.limiter,
			}),
		), // 7
		spanned('rate limit', rateLimit(deps.limiter)), // 8
		declaredOperation(routes),
		body, // 9
		describedRequest(),
		refreshRateLimit(deps.limiter),
		administrativeWrites(deps.operations.sessions),
		proxy({
			table: deps.table,
			budget: createRetryBudget({ percent: config.RETRY_BUDGET_PERCENT, min: config.RETRY_BUDGET_MIN }),
			metrics,
			config,
			now,
			cached: deps.cached,
		}), // 10–14
	];
	return inOrder(steps, respondError);
}

/**
 * The same first steps for the operations pages on `OPS_PORT` or for workers. Without limits, because that port is not
 * published. @param isTrusted by default the peers of TRUSTED_PROXIES
 */
export function createOperationsApp(deps: GatewayDeps, isTrusted?: IsTrusted): RequestListener {
	const { config, logger, now } = deps;
	const { metrics } = deps.operations;
	const app = operationsApp(deps);
	const respondError = errorResponder({ logger, now, app, onRefused: metrics.countRefusal });
	const steps: readonly Step[] = [
		requestStart(startOf(deps, isTrusted ?? trustedProxyOf(app))),
		accessLog(logOf(deps)),
		requestHygiene(),
		requestLimits(config),
		gatewayPages(app, logger, respondError),
	];
	return inOrder(steps, respondError);
}

function withPrimaryPages(deps: GatewayDeps | WorkerDeps, { body, own }: { body: Step; own: Step }): Step {
	if (!('forwardPage' in deps) || deps.forwardPage === undefined) return own;
	return orPrimaryPage(deps.config.OPS_PREFIX, { body, forward: deps.forwardPage, own });
}

function matchedRoute(routes: RouteTable): Step {
	return function matchedRoute(req): undefined {
		const exchange = exchangeOf(req);
		exchange.context = routes.contextOf(exchange.path);
		if (exchange.context === undefined) return;
		exchange.route = routes.routeOf(exchange.context, exchange.path);
		const { attached } = exchange.context;
		if (attached !== undefined && attached.operations === undefined)
			throw apiError('CONTRACT_UNAVAILABLE', {
				context: { context: exchange.context.name },
				retryAfterMs: 2_000,
			});
	};
}

function pagesUnlessContext(pages: Step): Step {
	return function pagesUnlessContext(req, res) {
		return exchangeOf(req).context === undefined ? pages(req, res) : undefined;
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
	deps: Pick<PipelineDeps, 'verifier' | 'limiter'> & {
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

type IsTrusted = (address: string) => boolean;

function startOf({ config, tracing, logger, operations }: PipelineDeps, isTrusted: IsTrusted) {
	const onUnusable = unusableElements(logger, operations.metrics.countUnusableForwarding);
	const clientOf = createClientOf({ isTrusted, onUnusable });
	const isSelf = selfAddresses(config.host, advertisedAddress(config.host, config.ADVERTISE_ADDRESS));
	return { clientOf, isSelf, tracing, quietPrefix: `${config.OPS_PREFIX}/`, headers: securityHeaders };
}

function logOf({ config, operations, accessLines }: PipelineDeps) {
	return { lines: accessLines, metrics: operations.metrics, quietPrefix: `${config.OPS_PREFIX}/` };
}
