import type { RequestListener } from 'node:http';
import { apiError } from '@paddock/contract';
import { createRetryBudget } from '@paddock/resilience';
import {
	advertisedAddress,
	createClientOf,
	strictExpress,
	trustedProxyOf,
	unusableElements,
} from '@paddock/service';
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
import { createExchange } from './exchange/exchange.ts';
import { inOrder, requestListener, type Step, stepWithSpan } from './exchange/pipeline.ts';
import { loadShedding } from './limits/load-shedding.ts';
import { rateLimit, refreshRateLimit } from './limits/rate-limit.ts';
import type { ForwardingDeps, PipelineDeps } from './process/open-pipeline.ts';
import { proxy } from './proxy/proxy.ts';
import { refreshCookie, refreshCookieHeader } from './proxy/refresh-cookie.ts';

/**
 * The request pipeline; `pages` are the gateway's own. The order matters:
 *  1. the exchange, with request id and trace: identify the request in every later step; with them the security headers of every response
 *  2. access log and metrics: include requests that step 3 refuses
 *  3. hygiene: no later step sees an ambiguous path or header
 *  4. CORS: on every response; the error responder adds its headers to refusals of step 3
 *  5. the context and the declared path: refusals of step 6 count against the objective of that context
 *  6. limits, load shedding: before anything is read or stored; then the gateway's own pages behind the rate limit
 *  7. authentication: a route that isn't public requires a valid token
 *  8. rate limit: by user, so after authentication; then the operations of an attached service, and the roles that they require
 *  9. the request body: before a bulkhead slot is taken
 *     requests to an attached service: against its contract
 *     refreshes: their token from the cookie of the console, then their rate limit, by the token in the body
 *     administrative writes: the session, immediately before the service is called
 * 10. the response cache: counted by the rate limit, before an instance is chosen
 * 11.–14. instance, breaker, forward, retry, response
 */
export function requestPipeline(deps: ForwardingDeps, pages: Step): RequestListener {
	const { config, logger, now, limiter, verifier, routes } = deps;
	const { metrics, sessions } = deps.operations;
	const cors = config.CORS_ORIGINS.length === 0 ? undefined : crossOrigin(config.CORS_ORIGINS);
	const respondError = errorResponder({ logger, now, crossOrigin: cors, onRefused: metrics.countRefusal });
	const exempt = unlimitedPaths(config);
	const limitedPages = inOrder([recognise(verifier), rateLimit(limiter), pages], respondError);
	// Without tracing, no step is wrapped.
	const spanned = deps.tracing.isOn ? stepWithSpan : (_name: string, step: Step) => step;
	const steps: readonly Step[] = [
		accessLog(logOf(deps)), // 2
		requestHygiene(), // 3
		...(cors === undefined ? [] : [cors]), // 4
		matchedRoute(routes), // 5
		requestLimits(config), // 6
		loadShedding({ config, delay: deps.eventLoopDelay, exempt, onInFlight: metrics.requestsInFlight }),
		pagesUnlessContext({ pages, limitedPages, exempt }),
		spanned('authenticate', authenticate({ routes, listsMethods: cors === undefined, verifier, limiter })), // 7
		spanned('rate limit', rateLimit(limiter)), // 8
		declaredOperation(routes),
		deps.requestBody, // 9
		describedRequest(),
		...(config.CONSOLE ? [ofConsole(refreshCookie())] : []),
		refreshRateLimit(limiter),
		administrativeWrites(sessions),
		proxy({
			table: deps.table,
			random: deps.random,
			budget: createRetryBudget({ percent: config.RETRY_BUDGET_PERCENT, min: config.RETRY_BUDGET_MIN }),
			metrics,
			config,
			now,
			cached: deps.cached,
		}), // 10–14
	];
	return requestListener(createExchange(exchangeDeps(deps)), steps, respondError); // 1
}

/** The first steps for OPS_PORT or for workers, without limits. @param isTrusted by default the peers of TRUSTED_PROXIES */
export function operationsPipeline(
	deps: PipelineDeps,
	pages: Step,
	isTrusted?: (address: string) => boolean,
): RequestListener {
	const { config, logger, now } = deps;
	const onRefused = deps.operations.metrics.countRefusal;
	const steps = [accessLog(logOf(deps)), requestHygiene(), requestLimits(config), pages];
	const begin = createExchange(exchangeDeps(deps, isTrusted));
	return requestListener(begin, steps, errorResponder({ logger, now, onRefused }));
}

/** Other clients send their refresh token themselves. */
function ofConsole(step: Step): Step {
	return (exchange, req, res) =>
		req.headers[refreshCookieHeader] === undefined ? undefined : step(exchange, req, res);
}

function matchedRoute(routes: RouteTable): Step {
	return function matchedRoute(exchange): undefined {
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

/** The gateway's pages; except for the probes, behind the rate limit: by user with a valid token, else by address. */
function pagesUnlessContext(deps: {
	readonly pages: Step;
	readonly limitedPages: ReturnType<typeof inOrder>;
	readonly exempt: ReadonlySet<string>;
}): Step {
	return function pagesUnlessContext(exchange, req, res) {
		if (exchange.context !== undefined) return undefined;
		if (deps.exempt.has(exchange.path)) return deps.pages(exchange, req, res);
		deps.limitedPages(exchange, req, res);
		return 'handled';
	};
}

/** Orchestrators and load balancers call these every second, also while the gateway is overloaded. */
function unlimitedPaths({ OPS_PREFIX, OPS_PORT }: GatewayConfig): ReadonlySet<string> {
	if (OPS_PORT !== undefined) return new Set();
	return new Set([`${OPS_PREFIX}/health/liveness`, `${OPS_PREFIX}/health/readiness`]);
}

function exchangeDeps(
	{ config, tracing, logger, operations }: PipelineDeps,
	isTrusted = trustedProxyOf(strictExpress(config.TRUSTED_PROXIES)),
) {
	const onUnusable = unusableElements(logger, operations.metrics.countUnusableForwarding);
	const clientOf = createClientOf({ isTrusted, onUnusable });
	const isSelf = selfAddresses(config.host, advertisedAddress(config.host, config.ADVERTISE_ADDRESS));
	return { clientOf, isSelf, tracing, quietPrefix: `${config.OPS_PREFIX}/`, headers: securityHeaders };
}

function logOf({ config, operations, accessLines }: PipelineDeps) {
	return { lines: accessLines, metrics: operations.metrics, quietPrefix: `${config.OPS_PREFIX}/` };
}
