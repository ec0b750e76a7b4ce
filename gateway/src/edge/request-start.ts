import { requestIdOf } from '@paddock/service';
import { continueTrace, traceparentOf } from '@paddock/telemetry';
import type { NextFunction, Request, Response } from 'express';
import { beginExchange } from '../exchange.ts';

/** Gives each request its id and its place in a trace, and sends both back. */
export function requestStart() {
	return function requestStart(req: Request, res: Response, next: NextFunction): void {
		const traceparent = req.headers['traceparent'];
		const trace = continueTrace(typeof traceparent === 'string' ? traceparent : undefined);
		const requestId = requestIdOf(req.headers);
		const query = req.url.indexOf('?');
		beginExchange(req, {
			requestId,
			trace,
			startedAt: performance.now(),
			clientAddress: req.ip ?? '',
			path: query === -1 ? req.url : req.url.slice(0, query),
			route: 'unmatched',
			context: undefined,
			principal: undefined,
			failure: undefined,
			instanceId: undefined,
			attempts: 0,
		});
		res.setHeader('X-Request-Id', requestId);
		res.setHeader('traceparent', traceparentOf(trace));
		next();
	};
}
