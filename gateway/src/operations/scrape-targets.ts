import type { Instance, Registry } from '@paddock/discovery';
import type { Context } from '../contexts.ts';
import type { InstanceTable } from '../discovery/instance-table.ts';

/** One entry as Prometheus takes it: https://prometheus.io/docs/prometheus/latest/http_sd/ */
export interface ScrapeTarget {
	readonly targets: readonly [string];
	readonly labels: Readonly<Record<'job' | 'instance' | '__metrics_path__', string>>;
}

export interface ScrapeTargets {
	list(): readonly ScrapeTarget[];
	close(): void;
}

export interface ScrapeTargetsDeps {
	readonly contexts: readonly Context[];
	readonly table: InstanceTable;
	readonly registry: Registry;
	/** Where this gateway's own operations pages are reached, once it listens. */
	readonly self: () => Pick<Instance, 'id' | 'address' | 'port'> | undefined;
	readonly opsPrefix: string;
}

/**
 * Everything that has metrics, as this gateway knows it. Monitoring so finds the instances that traffic finds: with
 * Consul or a static list, with a Prometheus built without Consul's discovery, and while Consul is down.
 */
export function createScrapeTargets(deps: ScrapeTargetsDeps): ScrapeTargets {
	const gateways = deps.registry.watch('gateway');
	return {
		list: () => {
			const self = deps.self();
			// Its own entry in the registry is one that a gateway refuses, lest it sends requests to itself.
			const others = gateways
				.current()
				.instances.filter(({ address, port }) => address !== self?.address || port !== self.port);
			const all = self === undefined ? others : [self, ...others];
			return [
				...all.map((instance) => targetOf('gateway', instance, `${deps.opsPrefix}/prometheus`)),
				...deps.contexts.flatMap(({ service }) =>
					deps.table.upstreams(service).map(({ instance }) => targetOf(service, instance, '/metrics')),
				),
			];
		},
		close: () => gateways.stop(),
	};
}

function targetOf(job: string, at: Pick<Instance, 'id' | 'address' | 'port'>, path: string): ScrapeTarget {
	const host = at.address.includes(':') ? `[${at.address}]` : at.address;
	return {
		targets: [`${host}:${at.port}`],
		labels: { job, instance: at.id, __metrics_path__: path },
	};
}
