import { fail } from '@paddock/contract';
import { setContext } from '@paddock/service';
import type { Logger } from '@paddock/telemetry';
import type { Express, Request, Response } from 'express';
import { type Exchange, exchangeOf } from './exchange.ts';
import type { Failed, Step } from './pipeline.ts';

/** The last step: responds with a page of the gateway's own, or ROUTE_NOT_FOUND. */
export function ownPages(app: Express, logger: Logger, failed: Failed): Step {
	return function ownPages(req, res): 'taken' {
		const exchange = exchangeOf(req);
		exchange.ownHeaders.setOn(res);
		const abort = new AbortController();
		res.once('close', () => {
			if (!res.writableFinished) abort.abort(new Error('The client left.'));
		});
		// Express adds its methods to both before it calls a route.
		setContext(req as Request, contextOf(exchange, logger, abort.signal));
		app(req as Request, res as Response, (error?: unknown) => {
			failed(error ?? fail('ROUTE_NOT_FOUND'), req, res);
		});
		return 'taken';
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
