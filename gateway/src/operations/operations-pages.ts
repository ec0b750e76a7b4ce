import { fail } from '@paddock/contract';
import express, { type Router } from 'express';
import { type HealthPagesDeps, healthPages } from '../health/health-pages.ts';
import { type BreakerPagesDeps, breakerPages } from './breaker-pages.ts';
import { type InfoPageDeps, infoPage } from './info-page.ts';
import { type MetricsPagesDeps, metricsPages } from './metrics-pages.ts';
import { onlyMethods } from './only-methods.ts';

export interface OperationsDeps extends HealthPagesDeps, MetricsPagesDeps, InfoPageDeps, BreakerPagesDeps {
	readonly prefix: string;
}

// Every page that is only read; `{…}` as Express writes it.
const readOnly = [
	'/health',
	'/health/:component',
	'/metrics',
	'/metrics/:name',
	'/info',
	'/prometheus',
	'/prometheus/targets',
	'/breakers',
];

/** What operators and their tools read; everything below the prefix is answered here and nothing is passed on. */
export function operationsPages(deps: OperationsDeps): Router {
	const { prefix } = deps;
	const router = express.Router({ caseSensitive: true, strict: true });
	router.all(
		readOnly.map((path) => prefix + path),
		onlyMethods('GET', 'HEAD'),
	);
	router.use(healthPages(prefix, deps));
	router.use(metricsPages(prefix, deps));
	router.use(infoPage(prefix, deps));
	router.use(breakerPages(prefix, deps));
	router.use(prefix, () => {
		throw fail('ROUTE_NOT_FOUND');
	});
	return router;
}
