import { isIP } from 'node:net';
import { requestIdOf } from '@paddock/service';
import { continueTrace, traceparentOf } from '@paddock/telemetry';
import type { NextFunction, Request, Response } from 'express';
import { beginExchange } from '../exchange.ts';

/** Gives each request its id and its place in a trace, and sends both back. */
export function requestStart() {
	return function requestStart(req: Request, res: Response, next: NextFunction): void {
		const traceparent = req.headers['traceparent'];
		const trace = continueTrace(typeof traceparent === 'string' ? traceparent : undefined);
		// W3C Trace Context §3.3.1.3: the vendors' state belongs to the trace that it came with.
		if (typeof traceparent !== 'string' || !traceparent.includes(trace.traceId))
			delete req.headers['tracestate'];
		const requestId = requestIdOf(req.headers);
		const query = req.url.indexOf('?');
		beginExchange(req, {
			requestId,
			trace,
			startedAt: performance.now(),
			clientAddress: addressOf(req),
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

/** Limits and logs go by it, so what a proxy forwarded counts only where it is an address. */
function addressOf(req: Request): string {
	const { ip = '' } = req;
	return isIP(ip) === 0 ? (req.socket.remoteAddress ?? '') : ip;
}
