import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, apiError } from '@paddock/contract';
import { guardErrorResponse, sendError, toApiError } from '@paddock/service';
import { type Logger, requestIdOf } from '@paddock/telemetry';
import type { Exchange } from './exchange.ts';
import type { ErrorResponder, Step } from './pipeline.ts';

interface ErrorResponderDeps {
	readonly logger: Logger;
	readonly now: () => Date;
	readonly onRefused?: (code: string) => void;
	/** Adds CORS headers, if there are any; it runs here for requests that an earlier step refused. */
	readonly crossOrigin?: Step | undefined;
}

/** Turns every error of the pipeline into a response. It never throws, because no caller would catch. */
export function errorResponder(deps: ErrorResponderDeps): ErrorResponder {
	const { logger, now } = deps;
	const write: ErrorResponder = (error, exchange, req, res) => {
		const requestId = exchange?.requestId ?? requestIdOf({});
		const expected = error instanceof URIError ? apiError('AMBIGUOUS_PATH', { cause: error }) : error;
		// The client has disconnected: only a bug is worth a log entry.
		if (res.closed && expected instanceof ApiError) return;
		const failure = isExpected(expected) ? expected : toApiError(expected, logger.child({ requestId }));
		if (!res.headersSent && exchange !== undefined) addHeaders(deps.crossOrigin, exchange, req, res);
		deps.onRefused?.(failure.code);
		sendError(res, failure, requestId, now());
	};
	return function errorResponder(error, exchange, req, res): void {
		guardErrorResponse(res, logger, () => write(error, exchange, req, res));
	};
}

/** A refusal that the access log describes completely; a child logger for each would cost more than the refusal. */
function isExpected(error: unknown): error is ApiError {
	return error instanceof ApiError && (error.status < 500 || error.cause === undefined);
}

function addHeaders(
	crossOrigin: Step | undefined,
	exchange: Exchange,
	req: IncomingMessage,
	res: ServerResponse,
): void {
	// The step sets Vary, so it has run already if that is present. It would respond to a preflight itself.
	if (req.method !== 'OPTIONS' && !res.hasHeader('Vary')) void crossOrigin?.(exchange, req, res);
	exchange.gatewayHeaders.setOn(res);
}
