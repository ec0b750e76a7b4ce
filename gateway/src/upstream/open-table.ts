import type { Instance, Registry } from '@paddock/discovery';
import type { GatewayConfig } from '../config.ts';
import type { Context } from '../contexts.ts';
import { createInstanceTable, type InstanceTable } from './instance-table.ts';
import type { InstanceState, Upstream } from './upstream.ts';

export interface OpenTableDeps {
	readonly config: GatewayConfig;
	readonly contexts: readonly Context[];
	readonly registry: Registry;
	readonly open: (context: Context, instance: Instance, former: InstanceState | undefined) => Upstream;
	readonly onGone?: () => void;
}

/** The instances of all contexts. */
export function openTable({ config, contexts, registry, open, onGone }: OpenTableDeps): InstanceTable {
	const byService = new Map(contexts.map((context) => [context.service, context]));
	return createInstanceTable({
		registry,
		services: [...byService.keys()],
		retainMs: Math.max(config.BREAKER_WINDOW_MS, config.BREAKER_OPEN_MS),
		open: (service, instance, former) => {
			const context = byService.get(service);
			if (context === undefined) throw new TypeError(`${service} belongs to no context.`);
			return open(context, instance, former);
		},
		...(onGone === undefined ? {} : { onGone }),
	});
}
