import { ApiError, commonErrors, fail } from '@paddock/contract';
import { answerFailure, requestIdOf, toApiError } from '@paddock/service';
import type { Logger } from '@paddock/telemetry';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { findExchange } from './exchange.ts';

export interface ErrorHandlerDeps {
	readonly logger: Logger;
	readonly now: () => Date;
	/** The steps that put headers on every answer; they run here for what was refused before it came to them. */
	readonly headers: readonly RequestHandler[];
}

// helmet's, so whether it is there says whether the steps have run.
const markOfHeaders = 'X-Content-Type-Options';

/** The one place where a failure becomes an answer. */
export function errorHandler(deps: ErrorHandlerDeps): ErrorRequestHandler {
	return function errorHandler(error: unknown, req: Request, res: Response, _next): void {
		const requestId = findExchange(req)?.requestId ?? requestIdOf({});
		const log = deps.logger.child({ requestId });
		const expected = error instanceof URIError ? fail('AMBIGUOUS_PATH', { cause: error }) : error;
		const failure = toApiError(expected, log, (cause) => {
			return new ApiError('INTERNAL_ERROR', commonErrors.INTERNAL_ERROR, { cause });
		});
		if (!res.headersSent && !res.hasHeader(markOfHeaders)) putHeaders(deps.headers, req, res);
		answerFailure(res, failure, requestId, deps.now());
	};
}

function putHeaders(steps: readonly RequestHandler[], req: Request, res: Response): void {
	// A preflight would be answered by the step for CORS; this one is refused, and needs no more than the first.
	const applicable = req.method === 'OPTIONS' ? steps.slice(0, 1) : steps;
	for (const step of applicable) void step(req, res, ignoreNext);
}

// The steps only set headers; what comes next is the answer to the failure.
function ignoreNext(): void {}
