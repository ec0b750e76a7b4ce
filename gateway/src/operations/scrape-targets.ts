import type { Context } from '../contexts.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';
import type { OtherGateways } from './other-gateways.ts';

/** One entry in the format of Prometheus: https://prometheus.io/docs/prometheus/latest/http_sd/ */
interface ScrapeTarget {
	/** One address. */
	readonly targets: string[];
	readonly labels: Readonly<Record<'job' | 'instance' | '__metrics_path__', string>>;
}

interface ScrapeTargetsDeps {
	readonly contexts: readonly Context[];
	readonly table: Pick<InstanceTable, 'upstreams'>;
	readonly gateways: Pick<OtherGateways, 'self' | 'list'>;
}

/**
 * All processes with metrics that this gateway knows. Monitoring thus scrapes the instances that receive traffic: with Consul or
 * a static list, with a Prometheus built without Consul's discovery, and while Consul is down.
 */
export function scrapeTargets(
	{ contexts, table, gateways }: ScrapeTargetsDeps,
	opsPrefix: string,
): ScrapeTarget[] {
	const all = [gateways.self(), ...gateways.list()].filter((gateway) => gateway !== undefined);
	return [
		...all.map(({ id, address }) => targetOf('gateway', id, address, `${opsPrefix}/prometheus`)),
		...contexts.flatMap(({ service }) =>
			table
				.upstreams(service)
				.map(({ instance: { id, url } }) => targetOf(service, id, url.slice('http://'.length), '/metrics')),
		),
	];
}

function targetOf(job: string, instance: string, address: string, path: string): ScrapeTarget {
	return { targets: [address], labels: { job, instance, __metrics_path__: path } };
}
