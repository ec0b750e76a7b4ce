import type { Principal } from '@paddock/identity';
import { withDeadline } from '@paddock/resilience';
import {
	type AccessLines,
	continueTrace,
	type Logger,
	type Metrics,
	requestIdOf,
	type TraceContext,
	type Tracing,
	traceparentOf,
	withSpan,
} from '@paddock/telemetry';
import type { NextFunction, Request, Response } from 'express';
import { isResponseSent } from './http-messages.ts';
import { endServerSpan, methods } from './server-span.ts';

interface RequestContext {
	requestId: string;
	trace: TraceContext;
	log: Logger;
	/** The declared path of the matched route; undefined until a route matches. */
	route: string | undefined;
	/** The caller; undefined without a token and before the route has verified it. */
	principal: Principal | undefined;
	signal: AbortSignal;
}

const key = Symbol('context');

// Stored on the request itself: a WeakMap entry per request would dominate garbage collection.
interface Carrier {
	[key]?: RequestContext;
}

/** @throws TypeError when the request did not pass `requestContext`. */
export function requestContextOf(req: Request & Carrier): RequestContext {
	const context = req[key];
	if (context === undefined)
		throw new TypeError('The request has no context: requestContext() must come first.');
	return context;
}

/** Attaches the context of a request that was started by a pipeline other than `requestContext`. */
export function setContext(req: Request & Carrier, context: RequestContext): void {
	req[key] = context;
}

// nginx's log status for a caller that closed the connection first; never sent.
const callerLeft = 499;

interface RequestContextDeps {
	readonly logger: Logger;
	readonly accessLines: AccessLines;
	readonly metrics: Metrics;
	readonly tracing: Tracing;
	/** Routes polled every few seconds; their requests are neither logged nor recorded. */
	readonly quietPaths: ReadonlySet<string>;
}

/** Gives each request its id, trace, logger and abort signal, and writes its access log entry. */
export function requestContext(deps: RequestContextDeps) {
	return function requestContext(req: Request & Carrier, res: Response, next: NextFunction): void {
		const startedAt = performance.now();
		const requestId = requestIdOf(req.headers);
		const begin = deps.quietPaths.has(req.path) ? continueTrace : deps.tracing.begin;
		const trace = begin(headerText(req, 'traceparent'));
		const gone = new AbortController();
		const log = deps.logger.child({ requestId, traceId: trace.traceId });
		const context: RequestContext = {
			requestId,
			trace,
			log,
			route: undefined,
			principal: undefined,
			signal: gone.signal,
		};
		req[key] = context;
		res.setHeader('X-Request-Id', requestId);
		res.setHeader('traceparent', traceparentOf(trace));
		const deadlineMs = deadlineMsOf(req);
		const deadline = deadlineTimer(deadlineMs, gone);
		res.once('close', () => {
			clearTimeout(deadline);
			const responded = isResponseSent(res);
			if (!responded) gone.abort(new Error('The client disconnected.'));
			const durationMs = performance.now() - startedAt;
			const route = context.route ?? 'unmatched';
			const status = responded ? res.statusCode : callerLeft;
			// The parser knows some thirty methods; a client could create a metric series for each.
			const method = methods.has(req.method) ? req.method : 'OTHER';
			deps.metrics.observeRequest({ route, method, status }, durationMs, trace.span?.trace);
			endServerSpan(trace.span, req, { requestId, route, status: responded ? status : undefined });
			if (deps.quietPaths.has(route)) return;
			deps.accessLines.write({
				requestId,
				traceId: trace.traceId,
				method: req.method,
				route,
				path: req.path.slice(0, 1_000),
				status,
				durationMs: Math.round(durationMs * 10) / 10,
			});
		});
		const proceed = (): void => withSpan(trace.span, next);
		if (deadlineMs === undefined) proceed();
		else withDeadline(deadlineMs, proceed);
	};
}

function headerText(req: Request, name: string): string | undefined {
	const value = req.headers[name];
	return typeof value === 'string' ? value : undefined;
}

// The gateway states how long it waits; later work is discarded.
function deadlineTimer(deadlineMs: number | undefined, gone: AbortController): NodeJS.Timeout | undefined {
	if (deadlineMs === undefined) return undefined;
	return setTimeout(() => gone.abort(new Error("The caller's deadline has passed.")), deadlineMs);
}

function deadlineMsOf(req: Request): number | undefined {
	const text = headerText(req, 'x-request-deadline-ms');
	return text === undefined || !/^\d{1,6}$/.test(text) ? undefined : Number(text);
}
