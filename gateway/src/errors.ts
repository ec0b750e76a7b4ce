import { ApiError, commonErrors, fail } from '@paddock/contract';
import { answerFailure, requestIdOf, toApiError } from '@paddock/service';
import type { Logger } from '@paddock/telemetry';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { findExchange } from './exchange.ts';

/** The one place where a failure becomes an answer. */
export function errorHandler(deps: { logger: Logger; now: () => Date }): ErrorRequestHandler {
	return function errorHandler(error: unknown, req: Request, res: Response, _next): void {
		const requestId = findExchange(req)?.requestId ?? requestIdOf({});
		const log = deps.logger.child({ requestId });
		const expected = error instanceof URIError ? fail('AMBIGUOUS_PATH', { cause: error }) : error;
		const failure = toApiError(expected, log, (cause) => {
			return new ApiError('INTERNAL_ERROR', commonErrors.INTERNAL_ERROR, { cause });
		});
		answerFailure(res, failure, requestId, deps.now());
	};
}
