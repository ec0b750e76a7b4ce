import type { Instance, Registry, ServiceSnapshot } from '@paddock/discovery';
import { type InstanceSet, openInstanceSet, type Random } from '@paddock/upstream';
import type { GatewayConfig } from '../config/config.ts';
import type { InstanceState, Upstream } from './upstream.ts';

export interface InstanceTable {
	/** The instances of a service, to choose one. */
	of(service: string): Pick<InstanceSet<Upstream>, 'choose'>;
	/** Every known instance of a service, in the registry's order. */
	upstreams(service: string): readonly Upstream[];
	find(service: string, instance: string): Upstream | undefined;
	snapshot(service: string): ServiceSnapshot;
	/** The registry has responded for every service. */
	responded(): boolean;
	close(): void;
}

interface InstanceTableDeps<Context> {
	readonly config: Pick<GatewayConfig, 'BREAKER_WINDOW_MS' | 'BREAKER_OPEN_MS'>;
	readonly registry: Registry;
	readonly contexts: readonly Context[];
	/** Creates the upstream of an instance, from its former state after a short absence. */
	readonly open: (context: Context, instance: Instance, former: InstanceState | undefined) => Upstream;
	readonly onGone?: () => void;
	readonly random: Random;
}

/** Follows the registry for the services of all contexts, see `openInstanceSet`. */
export function createInstanceTable<Context extends { readonly service: string }>(
	deps: InstanceTableDeps<Context>,
): InstanceTable {
	const { config, registry, random } = deps;
	const openSet = (context: Context): InstanceSet<Upstream> =>
		openInstanceSet<Upstream, InstanceState>({
			registry,
			service: context.service,
			retainMs: Math.max(config.BREAKER_WINDOW_MS, config.BREAKER_OPEN_MS),
			random,
			open: (instance, former) => deps.open(context, instance, former),
			leave: ({ breaker, bulkhead, forwarder }) => {
				forwarder.close();
				deps.onGone?.();
				return { breaker, bulkhead };
			},
			dispose: ({ breaker }) => breaker.close(),
		});
	const sets = new Map(deps.contexts.map((context) => [context.service, openSet(context)]));
	const of = (service: string): InstanceSet<Upstream> => {
		const set = sets.get(service);
		if (set === undefined) throw new TypeError(`${service} is not watched.`);
		return set;
	};
	return {
		of,
		upstreams: (service) => of(service).all(),
		find: (service, id) =>
			of(service)
				.all()
				.find(({ instance }) => instance.id === id),
		snapshot: (service) => of(service).snapshot(),
		responded: () => [...sets.values()].every((set) => set.responded()),
		close: () => {
			for (const set of sets.values()) set.close();
		},
	};
}
