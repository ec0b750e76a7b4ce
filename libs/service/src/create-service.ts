import { ApiError, commonErrors, fail } from '@paddock/contract';
import type { TokenVerifier } from '@paddock/identity';
import type { Logger, Metrics } from '@paddock/telemetry';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { answerFailure, toApiError } from './answer.ts';
import { type HealthCheck, healthRoutes } from './health.ts';
import { contextOf, requestContext } from './request-context.ts';
import type { Route } from './route.ts';
import { routeHandlers } from './route-handlers.ts';

export interface ServiceOptions<Deps> {
	/** As registered: `masterdata-service`. */
	readonly name: string;
	readonly routes: readonly Route<Deps>[];
	/** Handed to every handler. */
	readonly deps: Deps;
	readonly verifier: TokenVerifier;
	readonly logger: Logger;
	readonly metrics: Metrics;
	readonly now: () => Date;
	/** What must work for this service to be ready. */
	readonly checks: readonly HealthCheck[];
	/** True once the process is on its way out. */
	readonly draining: () => boolean;
	/** Peers whose X-Forwarded-For is believed: addresses or CIDRs. */
	readonly trustedProxies: readonly string[];
	readonly bodyBytesMax: number;
	/** Checks every answer against its schema; a mismatch is a bug and answered as one. Off in production. */
	readonly checkAnswers: boolean;
	/** Turns a library's error into an expected failure, e.g. a lost database into SERVICE_UNAVAILABLE. */
	readonly translateError?: (error: unknown) => ApiError | undefined;
}

/**
 * The Express application of one context:
 *  1. request context: id, trace, access log, metrics
 *  2. health and metrics of the process itself
 *  3. the declared routes, literal paths before parameters
 *  4. a known path with another method: 405; anything else: 404
 *  5. one error handler
 */
export function createService<Deps>(options: ServiceOptions<Deps>): Express {
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
			metrics: options.metrics,
			quietPaths: new Set(['/health', '/metrics']),
		}),
	);
	// 2
	app.use(healthRoutes(options));
	// 3, 4
	for (const [path, routes] of byPath(options.routes)) {
		const expressPath = path.replaceAll(/\{(\w+)\}/g, ':$1');
		for (const route of routes) app[route.method](expressPath, ...routeHandlers(route, options));
		app.all(expressPath, otherMethod(path, routes));
	}
	app.use((_req: Request, _res: Response) => {
		throw fail('ROUTE_NOT_FOUND');
	});
	// 5
	app.use(errorHandler(options));
	return app;
}

function byPath<Deps>(routes: readonly Route<Deps>[]): [string, Route<Deps>[]][] {
	const groups = Map.groupBy(routes, (route) => route.path);
	for (const [path, group] of groups) {
		const methods = new Set(group.map((route) => route.method));
		if (methods.size < group.length) throw new TypeError(`${path} declares a method twice.`);
	}
	// '{' sorts behind every character of a literal segment, so `/countries/active` comes before `/countries/{id}`.
	return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

function otherMethod<Deps>(path: string, routes: readonly Route<Deps>[]) {
	const methods = routes.flatMap((route) =>
		route.method === 'get' ? ['GET', 'HEAD'] : [route.method.toUpperCase()],
	);
	const allow = [...methods, 'OPTIONS'].join(', ');
	return function otherMethod(req: Request, res: Response): void {
		contextOf(req).route = path;
		if (req.method !== 'OPTIONS') throw fail('METHOD_NOT_ALLOWED', { headers: { Allow: allow } });
		res.setHeader('Allow', allow);
		res.status(200).json({
			success: true,
			data: { allow: allow.split(', ') },
			message: 'Allowed methods',
			timestamp: new Date().toISOString(),
		});
	};
}

function errorHandler<Deps>(options: ServiceOptions<Deps>): ErrorRequestHandler {
	return function errorHandler(error: unknown, req, res, _next): void {
		const { log, requestId } = contextOf(req);
		const expected = options.translateError?.(error) ?? ofExpress(error) ?? error;
		const failure = toApiError(
			expected,
			log,
			(cause) => new ApiError('INTERNAL_ERROR', commonErrors.INTERNAL_ERROR, { cause }),
		);
		answerFailure(res, failure, requestId, options.now());
	};
}

// Express's router refuses a parameter that isn't percent-encoded UTF-8 with a URIError of status 400.
function ofExpress(error: unknown): ApiError | undefined {
	return error instanceof URIError ? fail('AMBIGUOUS_PATH', { cause: error }) : undefined;
}
