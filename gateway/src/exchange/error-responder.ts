import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, apiError } from '@paddock/contract';
import { guardErrorResponse, sendError, toApiError } from '@paddock/service';
import { type Logger, requestIdOf } from '@paddock/telemetry';
import type { Express, Response } from 'express';
import { findExchange } from './exchange.ts';
import type { ErrorResponder, Step } from './pipeline.ts';

interface ErrorResponderDeps {
	readonly logger: Logger;
	readonly now: () => Date;
	/** Called with the code of every error response. */
	readonly onRefused?: (code: string) => void;
	/** Adds CORS headers, if there are any; it runs here for requests that an earlier step refused. */
	readonly crossOrigin?: Step | undefined;
	/** Its response methods are those that `sendError` uses. */
	readonly app: Express;
}

/** Turns every error of the pipeline into a response. It never throws, because no caller would catch. */
export function errorResponder(deps: ErrorResponderDeps): ErrorResponder {
	const { logger, now } = deps;
	const write = (error: unknown, requestId: string, req: IncomingMessage, res: ServerResponse): void => {
		const expected = error instanceof URIError ? apiError('AMBIGUOUS_PATH', { cause: error }) : error;
		// The client has disconnected: only a bug is worth a log entry.
		if (res.closed && expected instanceof ApiError) return;
		const failure = isExpected(expected) ? expected : toApiError(expected, logger.child({ requestId }));
		if (!res.headersSent) addHeaders(deps.crossOrigin, req, res);
		deps.onRefused?.(failure.code);
		sendError(expressResponse(deps.app, res), failure, requestId, now());
	};
	return function errorResponder(error, req, res): void {
		const requestId = findExchange(req)?.requestId ?? requestIdOf({});
		guardErrorResponse(res, logger, () => write(error, requestId, req, res));
	};
}

/** A refusal that the access log describes completely; a child logger for each would cost more than the refusal. */
function isExpected(error: unknown): error is ApiError {
	return error instanceof ApiError && (error.status < 500 || error.cause === undefined);
}

function addHeaders(crossOrigin: Step | undefined, req: IncomingMessage, res: ServerResponse): void {
	// The step sets Vary, so it has run already if that is present. It would respond to a preflight itself.
	if (req.method !== 'OPTIONS' && !res.hasHeader('Vary')) void crossOrigin?.(req, res);
	findExchange(req)?.gatewayHeaders.setOn(res);
}

/** The same response with Express's methods. */
function expressResponse(app: Express, res: ServerResponse): Response {
	if (!('locals' in res)) Object.setPrototypeOf(res, Reflect.get(app, 'response'));
	return res as Response;
}
