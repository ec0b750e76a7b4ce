import { isAnswered, type ProtocolRefusal } from '@paddock/service';
import type { Logger } from '@paddock/telemetry';
import type { NextFunction, Request, Response } from 'express';
import { type Exchange, exchangeOf } from '../exchange.ts';
import type { GatewayMetrics } from '../operations/gateway-metrics.ts';
import { methods } from './request-hygiene.ts';

// What nginx logs for a client that closed the connection first; it is never sent.
const clientClosedRequest = 499;
// The parser knows some thirty methods; each would be a series of its own for whoever sends it.
const otherMethod = 'OTHER';

/** One line and one observation for every request, when its answer is out or its client gone. */
export function accessLog(deps: { logger: Logger; metrics: GatewayMetrics; quietPrefix: string }) {
	return function accessLog(req: Request, res: Response, next: NextFunction): void {
		res.once('close', () => {
			const exchange = exchangeOf(req);
			const durationMs = performance.now() - exchange.startedAt;
			// Nor did the client leave where the service broke off in the middle.
			const begun = isAnswered(res) || exchange.failure === 'cutOff';
			const status = begun ? res.statusCode : clientClosedRequest;
			const method = methods.has(req.method) ? req.method : otherMethod;
			deps.metrics.observeRequest({ route: exchange.route, method, status }, durationMs);
			// Probes and scrapes come every few seconds, for ever.
			if (status < 400 && exchange.path.startsWith(deps.quietPrefix)) return;
			deps.logger.info('request', lineOf(req.method, status, durationMs, exchange));
		});
		next();
	};
}

/** The same for what the HTTP parser refused and no step ever saw. */
export function refusalLog(deps: { logger: Logger; metrics: GatewayMetrics }) {
	return function refusalLog({ requestId, status, peer, cause }: ProtocolRefusal): void {
		deps.metrics.observeRequest({ route: 'unmatched', method: otherMethod, status }, 0);
		deps.logger.info('request', { requestId, route: 'unmatched', status, client: peer, refused: cause });
	};
}

function lineOf(
	method: string,
	status: number,
	durationMs: number,
	exchange: Exchange,
): Record<string, unknown> {
	return {
		requestId: exchange.requestId,
		traceId: exchange.trace.traceId,
		method,
		path: exchange.path.slice(0, 1_000),
		route: exchange.route,
		status,
		durationMs: Math.round(durationMs * 10) / 10,
		client: exchange.clientAddress,
		userId: exchange.principal?.userId,
		instance: exchange.instanceId,
		attempts: exchange.attempts > 1 ? exchange.attempts : undefined,
		failure: exchange.failure,
	};
}
