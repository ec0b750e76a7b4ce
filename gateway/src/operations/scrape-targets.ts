import type { MutualTls } from '@paddock/discovery';
import type { z } from 'zod';
import type { Context } from '../contexts/context.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';
import type { ObservedInstance } from '../upstream/upstream.ts';
import type { scrapeTargets as schema } from './operations-schemas.ts';
import type { OtherGateways } from './other-gateways.ts';

type ScrapeTarget = z.output<typeof schema>[number];

interface ScrapeTargetsDeps {
	readonly contexts: readonly Context[];
	readonly table: Pick<InstanceTable<ObservedInstance>, 'upstreams'>;
	readonly gateways: Pick<OtherGateways, 'self' | 'list' | 'secure'>;
	readonly tls?: MutualTls | undefined;
}

/** All processes with metrics that this gateway knows, for a Prometheus without Consul or while Consul is down. */
export function scrapeTargets(
	{ contexts, table, gateways, tls }: ScrapeTargetsDeps,
	opsPrefix: string,
): ScrapeTarget[] {
	const ofGateway = { path: `${opsPrefix}/prometheus`, secure: gateways.secure };
	const ofService = { path: '/metrics', secure: tls !== undefined };
	const all = [gateways.self(), ...gateways.list()].filter((gateway) => gateway !== undefined);
	return [
		...all.map(({ id, address }) => targetOf('gateway', id, address, ofGateway)),
		// An attached service may have no metrics, or in another place.
		...contexts
			.filter(({ attached }) => attached === undefined)
			.flatMap(({ service }) =>
				table
					.upstreams(service)
					.map(({ instance: { id, url } }) => targetOf(service, id, url.slice('http://'.length), ofService)),
			),
	];
}

function targetOf(
	job: string,
	instance: string,
	address: string,
	{ path, secure }: { readonly path: string; readonly secure: boolean },
): ScrapeTarget {
	const scheme = secure ? { __scheme__: 'https' } : {};
	return { targets: [address], labels: { job, instance, __metrics_path__: path, ...scheme } };
}
