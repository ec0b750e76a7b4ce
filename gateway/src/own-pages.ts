import { fail } from '@paddock/contract';
import type { Express, Request, Response } from 'express';
import { exchangeOf } from './exchange.ts';
import type { Failed, Step } from './pipeline.ts';

/** The last step: answers with a page of the gateway's own, or ROUTE_NOT_FOUND. */
export function ownPages(app: Express, failed: Failed): Step {
	return function ownPages(req, res): 'taken' {
		exchangeOf(req).ownHeaders.setOn(res);
		// Express gives both of them its methods before anybody asks for one.
		app(req as Request, res as Response, (error?: unknown) => {
			failed(error ?? fail('ROUTE_NOT_FOUND'), req, res);
		});
		return 'taken';
	};
}
