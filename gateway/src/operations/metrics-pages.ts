import { fail, successEnvelope } from '@paddock/contract';
import type { TokenVerifier } from '@paddock/identity';
import express, { type Router } from 'express';
import type { Metric, Registry } from 'prom-client';
import { exchangeOf } from '../exchange.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { callerWith } from './caller-with.ts';
import { metricReading, type Tag } from './metric-reading.ts';
import { queryValues } from './query-values.ts';
import type { ScrapeTargets } from './scrape-targets.ts';

export interface MetricsPagesDeps {
	readonly metrics: GatewayMetrics;
	readonly targets: ScrapeTargets;
	/**
	 * Whether the list of targets needs no token. It names every instance as health does; on a port of its own the network
	 * decides who reaches it, since Prometheus has no token.
	 */
	readonly targetsForEverybody: boolean;
	readonly verifier: TokenVerifier;
	readonly now: () => Date;
}

/** `/metrics` for people, `/prometheus` for Prometheus, and where Prometheus finds everything else to scrape. */
export function metricsPages(prefix: string, deps: MetricsPagesDeps): Router {
	const { metrics, targets, now } = deps;
	const router = express.Router({ caseSensitive: true, strict: true });
	router.get(`${prefix}/metrics`, async (req, res) => {
		exchangeOf(req).route = `${prefix}/metrics`;
		const names = metrics.registry.getMetricsAsArray().map(({ name }) => name);
		res.setHeader('Cache-Control', 'no-store');
		res.json(successEnvelope({ names: names.sort() }, 'The names of all metrics', now()));
	});
	router.get(`${prefix}/metrics/:name`, async (req, res) => {
		exchangeOf(req).route = `${prefix}/metrics/{name}`;
		const tags = queryValues(req, 'tag').map(parseTag);
		const metric = findMetric(metrics.registry, req.params.name);
		const reading = metric === undefined ? undefined : metricReading(await metric.get(), tags);
		if (reading === undefined)
			throw fail('NOT_FOUND', { message: 'There is no such metric with these tags.' });
		res.setHeader('Cache-Control', 'no-store');
		res.json(successEnvelope(reading, reading.description, now()));
	});
	router.get(`${prefix}/prometheus`, async (req, res) => {
		exchangeOf(req).route = `${prefix}/prometheus`;
		res.setHeader('Cache-Control', 'no-store');
		res.type(metrics.registry.contentType).send(await metrics.registry.metrics());
	});
	router.get(`${prefix}/prometheus/targets`, async (req, res) => {
		exchangeOf(req).route = `${prefix}/prometheus/targets`;
		if (!deps.targetsForEverybody) await callerWith(deps.verifier, req, ['FEDERATION_OFFICER', 'ADMIN']);
		res.setHeader('Cache-Control', 'no-store');
		res.json(targets.list());
	});
	return router;
}

// The registry's own look-up finds `__proto__` in the object that it keeps metrics in.
function findMetric(registry: Registry, name: string): Metric | undefined {
	const isKnown = registry.getMetricsAsArray().some((metric) => metric.name === name);
	return isKnown ? registry.getSingleMetric(name) : undefined;
}

function parseTag(text: string): Tag {
	const colon = text.indexOf(':');
	if (colon > 0) return { tag: text.slice(0, colon), value: text.slice(colon + 1) };
	throw fail('INVALID_QUERY_PARAMETER', {
		errors: [
			{ field: 'tag', code: 'INVALID_FORMAT', message: 'must be a name and a value such as method:GET' },
		],
	});
}
