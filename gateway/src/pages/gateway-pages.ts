import { apiError } from '@paddock/contract';
import { setContext } from '@paddock/service';
import type { Logger } from '@paddock/telemetry';
import type { Express, Request, Response } from 'express';
import { type Exchange, exchangeOf } from '../exchange/exchange.ts';
import { disconnectSignal, type ErrorResponder, type Step } from '../exchange/pipeline.ts';

/** The last step: responds with one of the gateway's pages, or ROUTE_NOT_FOUND. */
export function gatewayPages(app: Express, logger: Logger, respondError: ErrorResponder): Step {
	return function gatewayPages(req, res): 'handled' {
		const exchange = exchangeOf(req);
		exchange.gatewayHeaders.setOn(res);
		// Express adds its own methods to both objects before it calls a route.
		setContext(req as Request, contextOf(exchange, logger, disconnectSignal(res)));
		app(req as Request, res as Response, (error?: unknown) => {
			respondError(error ?? apiError('ROUTE_NOT_FOUND'), req, res);
		});
		return 'handled';
	};
}

/** The context that routes of libs/service read and write, on top of the exchange. */
function contextOf(exchange: Exchange, logger: Logger, signal: AbortSignal) {
	const { requestId, trace } = exchange;
	return {
		requestId,
		trace,
		log: logger.child({ requestId }),
		signal,
		get route() {
			return exchange.route;
		},
		set route(route: string | undefined) {
			exchange.route = route ?? 'unmatched';
		},
		get principal() {
			return exchange.principal;
		},
		set principal(principal) {
			exchange.principal = principal;
		},
	};
}
