import type { Instance, Registry } from '@paddock/discovery';
import type { Context } from '../contexts.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';

/** One entry in the format of Prometheus: https://prometheus.io/docs/prometheus/latest/http_sd/ */
export interface ScrapeTarget {
	/** One address. */
	readonly targets: string[];
	readonly labels: Readonly<Record<'job' | 'instance' | '__metrics_path__', string>>;
}

export interface ScrapeTargets {
	list(): readonly ScrapeTarget[];
	close(): void;
}

export interface ScrapeTargetsDeps {
	readonly contexts: readonly Context[];
	readonly table: Pick<InstanceTable, 'upstreams'>;
	readonly registry: Registry;
	/** Address of this gateway's own operations pages, once it listens. */
	readonly self: () => Pick<Instance, 'id' | 'address' | 'port'> | undefined;
	readonly opsPrefix: string;
}

/**
 * All processes with metrics that this gateway knows. Monitoring thus scrapes the instances that receive traffic: with Consul or
 * a static list, with a Prometheus built without Consul's discovery, and while Consul is down.
 */
export function createScrapeTargets(deps: ScrapeTargetsDeps): ScrapeTargets {
	const gateways = deps.registry.watch('gateway');
	const gatewayPath = `${deps.opsPrefix}/prometheus`;
	return {
		list: () => {
			const self = deps.self();
			// The ids of Kubernetes and of a static list are others.
			const others = gateways
				.current()
				.instances.filter(
					({ id, address, port }) => id !== self?.id && !(address === self?.address && port === self?.port),
				);
			return [
				...(self === undefined ? [] : [targetOf('gateway', { ...self, url: urlOf(self) }, gatewayPath)]),
				...others.map((instance) => targetOf('gateway', instance, gatewayPath)),
				...deps.contexts.flatMap(({ service }) =>
					deps.table.upstreams(service).map(({ instance }) => targetOf(service, instance, '/metrics')),
				),
			];
		},
		close: () => gateways.stop(),
	};
}

function urlOf({ address, port }: Pick<Instance, 'address' | 'port'>): string {
	return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

function targetOf(job: string, { id, url }: Pick<Instance, 'id' | 'url'>, path: string): ScrapeTarget {
	return {
		targets: [url.slice('http://'.length)],
		labels: { job, instance: id, __metrics_path__: path },
	};
}
