import type { Instance, Registry, ServiceSnapshot, Watch } from '@paddock/discovery';
import { createRetention } from '@paddock/upstream';
import type { GatewayConfig } from '../config/config.ts';
import type { InstanceState, Upstream } from './upstream.ts';

/** A number from 0 up to, not including, 1. */
type Random = () => number;

export interface InstanceTable {
	/** An available instance of a service, see `chooseInstance`. */
	choose(service: string, tried?: Upstream): Upstream | undefined;
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

interface Entry {
	readonly watch: Watch;
	upstreams: readonly Upstream[];
}

const departedMax = 256;

/**
 * Follows the registry: keeps breaker and connections of instances that stay; of those that leave it closes the
 * connections at once and the breaker when its state has lost its meaning: they may return before that.
 */
export function createInstanceTable<Context extends { readonly service: string }>(
	deps: InstanceTableDeps<Context>,
): InstanceTable {
	const entries = new Map<string, Entry>();
	const departed = createRetention<InstanceState>({
		retainMs: Math.max(deps.config.BREAKER_WINDOW_MS, deps.config.BREAKER_OPEN_MS),
		max: departedMax,
		dispose: ({ breaker }) => breaker.close(),
	});
	const leave = (upstream: Upstream): void => {
		const { breaker, bulkhead } = upstream;
		departed.keep(keyOf(upstream.service, upstream.instance), { breaker, bulkhead });
		upstream.forwarder.close();
		deps.onGone?.();
	};
	for (const context of deps.contexts) {
		const { service } = context;
		const watch = deps.registry.watch(service);
		const entry: Entry = { watch, upstreams: [] };
		const follow = ({ instances }: ServiceSnapshot): void => {
			const before = entry.upstreams;
			const open = (instance: Instance): Upstream =>
				deps.open(context, instance, departed.take(keyOf(service, instance)));
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
		choose: (service, tried) => chooseInstance(entryOf(service).upstreams, tried, deps.random),
		upstreams: (service) => entryOf(service).upstreams,
		find: (service, id) => entryOf(service).upstreams.find(({ instance }) => instance.id === id),
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

/**
 * Draws two instances at random and returns the one with fewer attempts in flight: nearly as good as comparing all, without a
 * thundering herd (Mitzenmacher 2001, The Power of Two Choices in Randomized Load Balancing). Excludes instances whose breaker
 * admits no request, and the one tried already; undefined = no instance is available.
 */
export function chooseInstance(
	upstreams: readonly Upstream[],
	tried: Upstream | undefined,
	random: Random,
): Upstream | undefined {
	const [a, b] = twoOf(upstreams, random);
	if (a !== undefined && b !== undefined && isUsable(a, tried) && isUsable(b, tried)) return lessBusy(a, b);
	// One of the two has an open breaker or was tried, or there are fewer than two: examine all.
	const [c, d] = twoOf(
		upstreams.filter((upstream) => isUsable(upstream, tried)),
		random,
	);
	return c === undefined || d === undefined ? (c ?? d) : lessBusy(c, d);
}

function isUsable(upstream: Upstream, tried: Upstream | undefined): boolean {
	return upstream !== tried && upstream.breaker.admits();
}

/** Two different instances, or fewer if there are fewer. */
function twoOf(
	upstreams: readonly Upstream[],
	random: Random,
): readonly [Upstream | undefined, Upstream | undefined] {
	const { length } = upstreams;
	if (length < 2) return [upstreams[0], undefined];
	const first = Math.floor(random() * length);
	const second = (first + 1 + Math.floor(random() * (length - 1))) % length;
	return [upstreams[first], upstreams[second]];
}

function lessBusy(a: Upstream, b: Upstream): Upstream {
	return b.inFlight < a.inFlight ? b : a;
}
