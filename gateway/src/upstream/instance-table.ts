import type { Instance, Registry, ServiceSnapshot, Watch } from '@paddock/discovery';
import { createRetention } from '@paddock/resilience';
import type { InstanceState, Upstream } from './upstream.ts';

export interface InstanceTable {
	/** Every known instance of a service, in the registry's order. */
	upstreams(service: string): readonly Upstream[];
	snapshot(service: string): ServiceSnapshot;
	/** The registry has responded for every service. */
	responded(): boolean;
	close(): void;
}

export interface InstanceTableDeps {
	readonly registry: Registry;
	readonly services: readonly string[];
	/** Creates the upstream of an instance, from its former state after a short absence. */
	readonly open: (service: string, instance: Instance, former: InstanceState | undefined) => Upstream;
	/** How long the breaker of an instance that has left the registry is kept in case it returns. */
	readonly retainMs: number;
	readonly onGone?: (upstream: Upstream) => void;
}

interface Entry {
	readonly watch: Watch;
	upstreams: readonly Upstream[];
}

const departedMax = 256;

/**
 * Follows the registry: keeps breaker and connections of instances that stay; of those that leave it closes the
 * connections at once and the breaker after `retainMs`.
 */
export function createInstanceTable(deps: InstanceTableDeps): InstanceTable {
	const entries = new Map<string, Entry>();
	const departed = createRetention<InstanceState>({
		retainMs: deps.retainMs,
		max: departedMax,
		dispose: ({ breaker }) => breaker.close(),
	});
	const leave = (upstream: Upstream): void => {
		const { breaker, bulkhead } = upstream;
		departed.keep(keyOf(upstream.service, upstream.instance), { breaker, bulkhead });
		upstream.forwarder.close();
		deps.onGone?.(upstream);
	};
	for (const service of deps.services) {
		const watch = deps.registry.watch(service);
		const entry: Entry = { watch, upstreams: [] };
		const follow = ({ instances }: ServiceSnapshot): void => {
			const before = entry.upstreams;
			const open = (instance: Instance): Upstream =>
				deps.open(service, instance, departed.take(keyOf(service, instance)));
			// The same id at another address is another instance: its connections lead elsewhere.
			const kept = (instance: Instance) =>
				before.find(({ instance: known }) => known.id === instance.id && known.url === instance.url);
			entry.upstreams = instances.map((instance) => kept(instance) ?? open(instance));
			for (const upstream of before) if (!entry.upstreams.includes(upstream)) leave(upstream);
		};
		watch.onChange(follow);
		follow(watch.current());
		entries.set(service, entry);
	}
	const entryOf = (service: string): Entry => {
		const entry = entries.get(service);
		if (entry === undefined) throw new TypeError(`${service} is not watched.`);
		return entry;
	};
	return {
		upstreams: (service) => entryOf(service).upstreams,
		snapshot: (service) => entryOf(service).watch.current(),
		responded: () => [...entries.values()].every(({ watch }) => watch.responded()),
		close: () => {
			for (const { watch, upstreams } of entries.values()) {
				watch.stop();
				upstreams.forEach(leave);
			}
			departed.close();
		},
	};
}

/** The same id at another address is another instance. */
function keyOf(service: string, { id, url }: Instance): string {
	return JSON.stringify([service, id, url]);
}
