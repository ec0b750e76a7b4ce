import Negotiator from 'negotiator';
import { type OpenMetricsContentType, Registry } from 'prom-client';

/** The media type of OpenMetrics, the only text format with exemplars. https://prometheus.io/docs/specs/om/open_metrics_spec/ */
export const openMetricsType = 'application/openmetrics-text';

/** All metrics: as OpenMetrics if the client prefers it, as Prometheus does, else as Prometheus text. */
export async function exposition(registry: Registry, accept: string | undefined) {
	const isOpen = preferredType(accept) === openMetricsType;
	const shown = isOpen ? await openMetricsOf(registry) : registry;
	return { type: shown.contentType, text: await shown.metrics() };
}

/** The current values for OpenMetrics, as copies: prom-client removes `_total` from the names when it writes them. */
async function openMetricsOf(registry: Registry): Promise<Registry<OpenMetricsContentType>> {
	const open = new Registry<OpenMetricsContentType>();
	open.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
	for (const metric of await registry.getMetricsAsJSON()) {
		const name = metric.name.replace(/_total$/, '');
		// prom-client's types know its own classes only; it calls nothing but `get`.
		open.registerMetric({ ...metric, get: async () => ({ ...metric, name }) } as never);
	}
	return open;
}

/** Versions and `escaping` say nothing about the choice between the formats, but negotiator compares all parameters. */
function preferredType(accept = ''): string | undefined {
	const ranges = accept.replaceAll(/;(?!\s*q=)[^;,]*/gi, '');
	return new Negotiator({ headers: { accept: ranges } }).mediaType(['text/plain', openMetricsType]);
}
