import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, commonErrors, fail } from '@paddock/contract';
import { guardErrorResponse, requestIdOf, sendError, toApiError } from '@paddock/service';
import type { Logger } from '@paddock/telemetry';
import type { Express, Response } from 'express';
import { findExchange } from './exchange.ts';
import type { Failed, Step } from './pipeline.ts';

export interface AnswerFailuresDeps {
	readonly logger: Logger;
	readonly now: () => Date;
	/** The steps that put headers on every answer; they run here for what was refused before it came to them. */
	readonly headers: readonly Step[];
	/** Whose responses the common writer of failures takes. */
	readonly app: Express;
}

// Helmet's, so it is there once the steps have run.
const markOfHeaders = 'x-content-type-options';

/** The one place where a failure becomes a response. It never throws: the caller is the last one that could catch. */
export function answerFailures(deps: AnswerFailuresDeps): Failed {
	const { logger, now } = deps;
	const write = (error: unknown, requestId: string, req: IncomingMessage, res: ServerResponse): void => {
		const expected = error instanceof URIError ? fail('AMBIGUOUS_PATH', { cause: error }) : error;
		const failure = isTold(expected)
			? expected
			: toApiError(expected, logger.child({ requestId }), (cause) => {
					return new ApiError('INTERNAL_ERROR', commonErrors.INTERNAL_ERROR, { cause });
				});
		if (!res.headersSent) putHeaders(deps.headers, req, res);
		sendError(expressResponse(deps.app, res), failure, requestId, now());
	};
	return function answerFailures(error, req, res): void {
		const requestId = findExchange(req)?.requestId ?? requestIdOf({});
		guardErrorResponse(res, logger, () => write(error, requestId, req, res));
	};
}

/** A refusal that the access log says everything of; a logger for each would cost more than the refusal. */
function isTold(error: unknown): error is ApiError {
	return error instanceof ApiError && (error.status < 500 || error.cause === undefined);
}

function putHeaders(steps: readonly Step[], req: IncomingMessage, res: ServerResponse): void {
	const ownHeaders = findExchange(req)?.ownHeaders;
	if (ownHeaders === undefined) return;
	if (!ownHeaders.has(markOfHeaders)) {
		// A preflight would be answered by the step for CORS; this one is refused, and needs no more than the first.
		const applicable = req.method === 'OPTIONS' ? steps.slice(0, 1) : steps;
		for (const step of applicable) void step(req, res);
	}
	ownHeaders.setOn(res);
}

/** The same response with Express's methods. */
function expressResponse(app: Express, res: ServerResponse): Response {
	if (!('locals' in res)) Object.setPrototypeOf(res, Reflect.get(app, 'response'));
	return res as Response;
}
