import type { Instance, Registry, ServiceSnapshot, Watch } from '@paddock/discovery';
import type { Forwarder } from '../proxy/forwarder.ts';
import type { Bulkhead } from '../resilience/bulkhead.ts';
import type { InstanceBreaker } from '../resilience/instance-breaker.ts';

/** One instance of a service with what the gateway keeps for it. */
export interface Upstream {
	readonly instance: Instance;
	readonly service: string;
	readonly breaker: InstanceBreaker;
	readonly bulkhead: Bulkhead;
	readonly forwarder: Forwarder;
	/** Attempts under way or waiting for their turn. */
	inFlight: number;
}

export interface InstanceTable {
	/** Every known instance of a service, in the registry's order. */
	upstreams(service: string): readonly Upstream[];
	snapshot(service: string): ServiceSnapshot;
	/** The registry has answered for every service. */
	answered(): boolean;
	close(): void;
}

export interface InstanceTableDeps {
	readonly registry: Registry;
	readonly services: readonly string[];
	/** Makes what the gateway keeps for an instance. */
	readonly open: (service: string, instance: Instance) => Upstream;
	readonly onGone?: (upstream: Upstream) => void;
}

interface Entry {
	readonly watch: Watch;
	upstreams: readonly Upstream[];
}

/** Follows the registry: keeps breaker and connections of instances that stay, closes those of instances that go. */
export function createInstanceTable(deps: InstanceTableDeps): InstanceTable {
	const entries = new Map<string, Entry>();
	const leave = (upstream: Upstream): void => {
		upstream.breaker.close();
		upstream.forwarder.close();
		deps.onGone?.(upstream);
	};
	for (const service of deps.services) {
		const watch = deps.registry.watch(service);
		const entry: Entry = { watch, upstreams: [] };
		const follow = ({ instances }: ServiceSnapshot): void => {
			const before = entry.upstreams;
			// The same id at another address is another instance: its connections lead elsewhere.
			const kept = (instance: Instance) =>
				before.find(({ instance: known }) => known.id === instance.id && known.url === instance.url);
			entry.upstreams = instances.map((instance) => kept(instance) ?? deps.open(service, instance));
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
		answered: () => [...entries.values()].every(({ watch }) => watch.answered()),
		close: () => {
			for (const { watch, upstreams } of entries.values()) {
				watch.stop();
				upstreams.forEach(leave);
			}
		},
	};
}
