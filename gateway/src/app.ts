import { fail } from '@paddock/contract';
import type { TokenVerifier } from '@paddock/identity';
import type { Logger } from '@paddock/telemetry';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { authenticate } from './authentication/authenticate.ts';
import type { GatewayConfig } from './config.ts';
import type { Context } from './contexts.ts';
import type { InstanceTable } from './discovery/instance-table.ts';
import { accessLog } from './edge/access-log.ts';
import { type EventLoopDelay, loadShedding } from './edge/load-shedding.ts';
import { type RateLimiter, rateLimit } from './edge/rate-limit.ts';
import { requestHygiene } from './edge/request-hygiene.ts';
import { requestLimits } from './edge/request-limits.ts';
import { requestStart } from './edge/request-start.ts';
import { crossOrigin, securityHeaders } from './edge/security-headers.ts';
import { errorHandler } from './errors.ts';
import { exchangeOf } from './exchange.ts';
import { type OperationsDeps, operationsPages } from './operations/operations-pages.ts';
import { operatorsStatusPage, type PortalDeps, portalPages } from './portal/portal-pages.ts';
import { proxy } from './proxy/proxy.ts';
import { createRetryBudget } from './resilience/retry-budget.ts';
import { createRouteTable, type RouteTable } from './route-table.ts';

export interface GatewayDeps {
	readonly config: GatewayConfig;
	readonly contexts: readonly Context[];
	readonly table: InstanceTable;
	readonly verifier: TokenVerifier;
	readonly limiter: RateLimiter;
	readonly eventLoopDelay: EventLoopDelay;
	readonly operations: OperationsDeps;
	readonly portal: PortalDeps;
	readonly logger: Logger;
	readonly now: () => Date;
	readonly random: () => number;
}

/**
 * The way of every request, in this order and no other:
 *  1. request id and trace: everything after can be followed
 *  2. access log and metrics: also what the next step refuses
 *  3. hygiene: before anything looks at path or headers, they can mean one thing only
 *  4. security headers, CORS: on every answer; on the refusals of step 3 the error handler puts them
 *  5. limits: before anything is read or kept
 *  6. own pages, then the context: who is asked decides what is public
 *  7. authenticate: nothing that isn't public gets further without a valid token
 *  8. rate limit: by user, now that there is one
 *  9.–12. instance, breaker, forward, retry, answer
 */
export function createGateway(deps: GatewayDeps): Express {
	const { config, logger, now } = deps;
	const routes = createRouteTable(deps.contexts);
	const headers = [securityHeaders(), crossOrigin(config.CORS_ORIGINS)];
	const app = gatewayApp(config);
	app.use(requestStart()); // 1
	app.use(accessLog({ logger, metrics: deps.operations.metrics, quietPrefix: `${config.OPS_PREFIX}/` })); // 2
	app.use(requestHygiene()); // 3
	app.use(...headers); // 4
	app.use(requestLimits(limitsOf(config)), shedding(deps)); // 5
	if (config.OPS_PORT === undefined) app.use(operationsPages(deps.operations)); // 6
	app.use(portalPages(deps.portal), routeToContext(routes));
	app.use(authenticate({ routes, verifier: deps.verifier, limiter: deps.limiter })); // 7
	app.use(rateLimit(deps.limiter)); // 8
	app.use(
		proxy({
			table: deps.table,
			budget: createRetryBudget({ percent: config.RETRY_BUDGET_PERCENT, min: config.RETRY_BUDGET_MIN }),
			metrics: deps.operations.metrics,
			settings: {
				bodyBytesMax: config.BODY_BYTES_MAX,
				responseTimeoutMs: config.RESPONSE_TIMEOUT_MS,
				deadlineMs: config.DEADLINE_MS,
				idleTimeoutMs: config.IDLE_TIMEOUT_MS,
			},
			isTrustedPeer: trustedPeer(app),
			random: deps.random,
			now,
		}),
	); // 9–12
	app.use(errorHandler({ logger, now, headers }));
	return app;
}

/** The same first steps for the pages of operators where they have a port of their own. */
export function createOperationsApp(deps: GatewayDeps): Express {
	const { config, logger, now } = deps;
	const app = gatewayApp(config);
	app.use(requestStart());
	app.use(accessLog({ logger, metrics: deps.operations.metrics, quietPrefix: `${config.OPS_PREFIX}/` }));
	app.use(requestHygiene());
	app.use(securityHeaders());
	app.use(requestLimits(limitsOf(config)));
	app.use(operationsPages(deps.operations));
	if (config.STATUS_PAGE) app.use(operatorsStatusPage(deps.portal.deployment));
	app.use(() => {
		throw fail('ROUTE_NOT_FOUND');
	});
	app.use(errorHandler({ logger, now, headers: [securityHeaders()] }));
	return app;
}

function gatewayApp(config: GatewayConfig): Express {
	const app = express();
	app.disable('x-powered-by');
	app.disable('etag');
	app.set('query parser', false);
	app.set('trust proxy', [...config.TRUSTED_PROXIES]);
	return app;
}

function limitsOf(config: GatewayConfig) {
	return {
		urlBytesMax: config.URL_BYTES_MAX,
		headerBytesMax: config.HEADER_BYTES_MAX,
		bodyBytesMax: config.BODY_BYTES_MAX,
	};
}

function shedding(deps: GatewayDeps) {
	return loadShedding({
		delay: deps.eventLoopDelay,
		delayMaxMs: deps.config.EVENT_LOOP_DELAY_MAX_MS,
		inFlightMax: deps.config.IN_FLIGHT_MAX,
		exemptPrefix: `${deps.config.OPS_PREFIX}/`,
		onInFlight: (inFlight) => deps.operations.metrics.requestsInFlight(inFlight),
	});
}

function routeToContext(routes: RouteTable) {
	return function routeToContext(req: Request, _res: Response, next: NextFunction): void {
		const exchange = exchangeOf(req);
		exchange.context = routes.contextOf(exchange.path);
		if (exchange.context === undefined) throw fail('ROUTE_NOT_FOUND');
		exchange.route = exchange.context.prefix;
		next();
	};
}

function trustedPeer(app: Express): (address: string | undefined) => boolean {
	const trusts: (address: string, hop: number) => boolean = app.get('trust proxy fn');
	return (address) => address !== undefined && trusts(address, 0);
}
