import { fail } from '@paddock/contract';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { exchangeOf } from '../exchange.ts';
import { type HealthPagesDeps, healthPages } from '../health/health-pages.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';

export interface OperationsDeps extends HealthPagesDeps {
	readonly prefix: string;
	readonly metrics: GatewayMetrics;
}

/** What operators and their tools read; everything below the prefix is answered here and nothing is passed on. */
export function operationsPages(deps: OperationsDeps): Router {
	const { prefix, metrics } = deps;
	const router = express.Router({ caseSensitive: true, strict: true });
	// Before the pages: Express would answer OPTIONS for them by itself, in no envelope.
	router.use(prefix, (req: Request, _res: Response, next: NextFunction) => {
		if (req.method === 'GET' || req.method === 'HEAD') next();
		else throw refusalOf(req.path);
	});
	router.use(healthPages(prefix, deps));
	router.get(`${prefix}/prometheus`, async (req: Request, res: Response) => {
		exchangeOf(req).route = `${prefix}/prometheus`;
		res.setHeader('Cache-Control', 'no-store');
		res.type(metrics.registry.contentType).send(await metrics.registry.metrics());
	});
	router.use(prefix, () => {
		throw fail('ROUTE_NOT_FOUND');
	});
	return router;
}

function refusalOf(path: string) {
	const known = /^\/(?:prometheus|health(?:\/[a-z]+)?)$/.test(path);
	return known ? fail('METHOD_NOT_ALLOWED', { headers: { Allow: 'GET, HEAD' } }) : fail('ROUTE_NOT_FOUND');
}
