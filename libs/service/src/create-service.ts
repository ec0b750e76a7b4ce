import { ApiError, apiError, commonErrors } from '@paddock/contract';
import type { TokenVerifier } from '@paddock/identity';
import type { AccessLines, Logger, Metrics } from '@paddock/telemetry';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { type HealthCheck, healthPaths, healthRoutes, type TroubledPeers } from './health.ts';
import { checkInternalAccess } from './internal-route.ts';
import { framingFault } from './message-framing.ts';
import { mountRoutes } from './mount-routes.ts';
import { contextOf, requestContext } from './request-context.ts';
import { asError, guardErrorResponse, sendError, toApiError } from './response.ts';
import type { Route } from './route.ts';

export interface ServiceOptions<Deps> {
	/** As registered: `masterdata-service`. */
	readonly name: string;
	readonly routes: readonly Route<Deps>[];
	/** Handed to every handler. */
	readonly deps: Deps;
	/** Of people's tokens. */
	readonly verifier: TokenVerifier;
	/** Of the tokens that services show to each other, see `internalAudience`. */
	readonly internalVerifier: TokenVerifier;
	readonly logger: Logger;
	/** Where each request's line goes; the logger writes it unless given. */
	readonly accessLines?: AccessLines;
	readonly metrics: Metrics;
	readonly now: () => Date;
	/** What must work for this service to be ready. */
	readonly checks: readonly HealthCheck[];
	readonly troubledPeers?: TroubledPeers;
	/** True once the process is on its way out. */
	readonly draining: () => boolean;
	/** Peers whose X-Forwarded-For is believed: addresses or CIDRs. */
	readonly trustedProxies: readonly string[];
	readonly bodyBytesMax: number;
	/** Checks every answer against its schema; a mismatch is a bug and answered as one. Off in production. */
	readonly checkResponses: boolean;
	/** Turns a library's error into an expected failure, e.g. a lost database into SERVICE_UNAVAILABLE. */
	readonly translateError?: (error: unknown) => ApiError | undefined;
}

/**
 * The Express application of one context:
 *  1. request context: id, trace, access log, metrics; a request whose body has no certain end is refused
 *  2. health and metrics of the process itself
 *  3. the declared routes, literal paths before parameters
 *  4. a known path with another method: 405; anything else: 404
 *  5. one error handler
 */
export function createService<Deps>(options: ServiceOptions<Deps>): Express {
	for (const route of options.routes) checkInternalAccess(route);
	const app = express();
	app.disable('x-powered-by');
	app.disable('etag');
	app.set('trust proxy', [...options.trustedProxies]);
	app.set('case sensitive routing', true);
	app.set('strict routing', true);
	app.set('query parser', false);
	// 1
	app.use(
		requestContext({
			logger: options.logger,
			accessLines: options.accessLines ?? { write: (entry) => options.logger.info('request', entry) },
			metrics: options.metrics,
			quietPaths: quietPathsOf(options.routes),
		}),
	);
	app.use((req, _res, next) => {
		const message = framingFault(req);
		if (message !== undefined) throw apiError('MALFORMED_REQUEST', { message });
		next();
	});
	// 2
	app.use(healthRoutes(options));
	// 3, 4
	mountRoutes(app, options.routes, options);
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
		const { log, requestId, signal } = contextOf(req);
		const failure = safely(log, error, () =>
			toApiError(expectedFailure(error, signal, options.translateError), log, internalError),
		);
		guardErrorResponse(res, log, () => sendError(res, failure, requestId, options.now()));
	};
}

// Whatever is thrown while an error is dealt with would be answered by Express, with a page that holds the stack.
function safely(log: Logger, handled: unknown, deal: () => ApiError): ApiError {
	try {
		return deal();
	} catch (bug) {
		log.error('an error could not be dealt with', { error: asError(bug), handled });
		return internalError(bug);
	}
}

function internalError(cause: unknown): ApiError {
	return new ApiError('INTERNAL_ERROR', commonErrors.INTERNAL_ERROR, { cause });
}

/** The failure that `error` stands for, or itself where it stands for none. */
function expectedFailure(
	error: unknown,
	signal: AbortSignal,
	translate: ((error: unknown) => ApiError | undefined) | undefined,
): unknown {
	if (isOfAbort(error, signal)) return apiError('UPSTREAM_TIMEOUT');
	return translate?.(error) ?? ofExpress(error) ?? error;
}

// The caller left or its deadline has passed, and the handler's work ended because of that: nobody's bug.
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
