import { type ApiError, apiError } from '@paddock/contract';
import type { TokenVerifier } from '@paddock/identity';
import {
	type AccessLines,
	type Logger,
	type LogLevel,
	type Metrics,
	noTracing,
	type Tracing,
} from '@paddock/telemetry';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { createClientOf, unusableElements } from '../http/client-of.ts';
import { framingFault, hostFault } from '../http/http-messages.ts';
import { requestContext, requestContextOf } from '../http/request-context.ts';
import { checkInternalAccess } from '../routes/access.ts';
import { createHeavyRequests } from '../routes/heavy-requests.ts';
import { mountRoutes } from '../routes/mount-routes.ts';
import { asError, guardErrorResponse, sendError, toApiError } from '../routes/response.ts';
import type { Route } from '../routes/route.ts';
import type { LaggingDeps } from '../routes/route-handlers.ts';
import { type FailingPeers, type HealthCheck, healthPaths, healthRoutes } from './health.ts';
import { adjustableLogLevel, logLevelRoutes } from './log-level.ts';

export interface ServiceParts<Deps> {
	readonly routes: readonly Route<Deps>[];
	readonly deps: Deps;
	readonly lagging?: LaggingDeps<Deps>;
	/** How many heavy requests run at once: a part of the pool of database connections. */
	readonly heavyMax?: number;
	/** The checks of the health response; those that are not optional determine readiness. */
	readonly checks: readonly HealthCheck[];
	/** Peer states for the health response, for a service that calls others. */
	readonly failingPeers?: FailingPeers;
	/** Converts a library's error to an expected failure, e.g. a lost database connection to SERVICE_UNAVAILABLE. */
	readonly translateError?: (error: unknown) => ApiError | undefined;
}

export interface ServiceOptions<Deps> extends ServiceParts<Deps> {
	readonly name: string;
	readonly verifier: TokenVerifier;
	/** Verifies tokens between services, see `internalAudience`. */
	readonly internalVerifier: TokenVerifier;
	readonly logger: Logger;
	/** Destination of the access log entries; the logger by default. */
	readonly accessLines?: AccessLines;
	readonly metrics: Metrics;
	readonly tracing?: Tracing;
	readonly now: () => Date;
	/** True after the shutdown has begun. */
	readonly draining: () => boolean;
	/** Peers whose X-Forwarded-For is trusted: addresses or CIDRs. */
	readonly trustedProxies: readonly string[];
	readonly bodyBytesMax: number;
	/** Checks every response against its schema; a mismatch is a bug and becomes a 500. Off in production. */
	readonly checkResponses: boolean;
}

const heavyMaxDefault = 3;

/**
 * The Express application of one context:
 *  1. request context: id, trace, access log, metrics; refuses a request whose Host or body is ambiguous
 *  2. health, metrics and log level of the process itself
 *  3. the declared routes, literal paths before parameters
 *  4. a known path with another method: 405; any other path: 404
 *  5. one error handler
 */
export function createService<Deps>(options: ServiceOptions<Deps>): Express {
	for (const route of options.routes) checkInternalAccess(route);
	const app = strictExpress(options.trustedProxies);
	// 1
	app.use(
		requestContext({
			logger: options.logger,
			accessLines: options.accessLines ?? { write: (entry) => options.logger.info('request', entry) },
			metrics: options.metrics,
			tracing: options.tracing ?? noTracing,
			quietPaths: quietPathsOf(options.routes),
		}),
	);
	app.use((req, _res, next) => {
		const message = hostFault(req) ?? framingFault(req);
		if (message !== undefined) throw apiError('MALFORMED_REQUEST', { message });
		next();
	});
	// 2
	app.use(healthRoutes(options));
	const logLevel = adjustableLogLevel({ ...options, configuredLevel: options.logger.level as LogLevel });
	const isTrusted = trustedProxyOf(app);
	const clientOf = createClientOf({ isTrusted, onUnusable: unusableElements(options.logger) });
	const addressOf = (req: Request) => clientOf(req).address;
	const heavyRequests = createHeavyRequests({ max: options.heavyMax ?? heavyMaxDefault });
	const shared = { ...options, addressOf, heavyRequests };
	mountRoutes(app, logLevelRoutes, { ...shared, deps: logLevel, lagging: undefined });
	// 3, 4
	mountRoutes(app, options.routes, shared);
	app.use((_req: Request, _res: Response) => {
		throw apiError('ROUTE_NOT_FOUND');
	});
	// 5
	app.use(errorHandler(options));
	return app;
}

function quietPathsOf<Deps>(routes: readonly Route<Deps>[]): ReadonlySet<string> {
	return new Set([...healthPaths, ...routes.filter(({ quiet }) => quiet === true).map(({ path }) => path)]);
}

function errorHandler<Deps>(options: ServiceOptions<Deps>): ErrorRequestHandler {
	return function errorHandler(error: unknown, req, res, _next): void {
		const { log, requestId, signal } = requestContextOf(req);
		const failure = safely(log, error, () =>
			toApiError(expectedFailure(error, signal, options.translateError), log),
		);
		guardErrorResponse(res, log, () => sendError(res, failure, requestId, options.now()));
	};
}

// Express would respond to an exception in the error handler with a page that contains the stack.
function safely(log: Logger, handled: unknown, deal: () => ApiError): ApiError {
	try {
		return deal();
	} catch (bug) {
		log.error('an error could not be dealt with', { error: asError(bug), handled });
		return apiError('INTERNAL_ERROR', { cause: bug });
	}
}

function expectedFailure(
	error: unknown,
	signal: AbortSignal,
	translate: ((error: unknown) => ApiError | undefined) | undefined,
): unknown {
	if (isOfAbort(error, signal)) return apiError('UPSTREAM_TIMEOUT');
	return translate?.(error) ?? ofExpress(error) ?? error;
}

// Whether the work ended because the caller disconnected or its deadline passed; not a bug.
function isOfAbort(error: unknown, signal: AbortSignal): boolean {
	if (!signal.aborted) return false;
	if (error === signal.reason) return true;
	if (!(error instanceof Error)) return false;
	return error.cause === signal.reason || error.name === 'AbortError' || error.name === 'CanceledError';
}

// Express's router refuses a parameter that isn't percent-encoded UTF-8 with a URIError of status 400; a handler's own
// URIError has no status and is a bug.
function ofExpress(error: unknown): ApiError | undefined {
	return error instanceof URIError && 'status' in error
		? apiError('AMBIGUOUS_PATH', { cause: error })
		: undefined;
}

/** An application that matches paths exactly, leaves queries to the routes and adds no headers of its own. */
export function strictExpress(trustedProxies: readonly string[]): Express {
	const app = express();
	app.disable('x-powered-by');
	app.disable('etag');
	app.set('trust proxy', [...trustedProxies]);
	app.set('case sensitive routing', true);
	app.set('strict routing', true);
	app.set('query parser', false);
	return app;
}

export function trustedProxyOf(app: Express): (address: string) => boolean {
	const trusts: (address: string, hop: number) => boolean = app.get('trust proxy fn');
	return (address) => trusts(address, 0);
}
