import type { Instance, Registry, ServiceSnapshot } from '@paddock/discovery';
import { type InstanceSet, openInstanceSet, type Random } from '@paddock/upstream';
import type { GatewayConfig } from '../config/config.ts';
import type { Context } from '../contexts/context.ts';
import type { InstanceState, Upstream } from './upstream.ts';

export interface InstanceTable<C extends Pick<Context, 'service'> = Context> {
	/** The instances of a service, to choose one. */
	of(service: string): Pick<InstanceSet<Upstream>, 'choose'>;
	/** Every known instance of a service, in the registry's order. */
	upstreams(service: string): readonly Upstream[];
	find(service: string, instance: string): Upstream | undefined;
	snapshot(service: string): ServiceSnapshot;
	/** The registry has responded for every service. */
	responded(): boolean;
	/** Follows the services of these contexts. Those of others are closed when the requests that are under way have ended. */
	follow(contexts: readonly C[]): void;
	close(): void;
}

interface InstanceTableDeps<Context> {
	readonly config: Pick<
		GatewayConfig,
		'BREAKER_WINDOW_MS' | 'BREAKER_OPEN_MS' | 'DEADLINE_MS' | 'REQUEST_TIMEOUT_MS'
	>;
	readonly registry: Registry;
	readonly contexts: readonly Context[];
	/** Creates the upstream of an instance, from its former state after a short absence. */
	readonly open: (context: Context, instance: Instance, former: InstanceState | undefined) => Upstream;
	readonly onGone?: () => void;
	readonly random: Random;
}

interface Entry<C> {
	/** Replaced when it changes. */
	context: C;
	readonly set: InstanceSet<Upstream>;
	/** Set while only requests that are under way need the entry. */
	release: NodeJS.Timeout | undefined;
}

/** Follows the registry for the services of all contexts, see `openInstanceSet`. */
export function createInstanceTable<C extends Pick<Context, 'service'>>(
	deps: InstanceTableDeps<C>,
): InstanceTable<C> {
	const { config, registry, random } = deps;
	const entries = new Map<string, Entry<C>>();
	const contextOf = (context: C): C => entries.get(context.service)?.context ?? context;
	const openSet = (context: C): InstanceSet<Upstream> =>
		openInstanceSet<Upstream, InstanceState>({
			registry,
			service: context.service,
			retainMs: Math.max(config.BREAKER_WINDOW_MS, config.BREAKER_OPEN_MS),
			random,
			open: (instance, former) => deps.open(contextOf(context), instance, former),
			leave: ({ breaker, bulkhead, forwarder }) => {
				forwarder.close();
				deps.onGone?.();
				return { breaker, bulkhead };
			},
			dispose: ({ breaker }) => breaker.close(),
		});
	const add = (context: C): void => {
		entries.set(context.service, { context, set: openSet(context), release: undefined });
	};
	const remove = (service: string): void => {
		const entry = entries.get(service);
		clearTimeout(entry?.release);
		// `onGone` still looks at it.
		entry?.set.close();
		entries.delete(service);
	};
	deps.contexts.forEach(add);
	const of = (service: string): InstanceSet<Upstream> => {
		const entry = entries.get(service);
		if (entry === undefined) throw new TypeError(`${service} is not watched.`);
		return entry.set;
	};
	return {
		of,
		upstreams: (service) => of(service).all(),
		find: (service, id) =>
			of(service)
				.all()
				.find(({ instance }) => instance.id === id),
		snapshot: (service) => of(service).snapshot(),
		responded: () =>
			[...entries.values()].every(({ set, release }) => release !== undefined || set.responded()),
		follow: (contexts) => {
			const present = new Map(contexts.map((context) => [context.service, context]));
			for (const [service, entry] of entries) {
				const context = present.get(service);
				if (context !== undefined) {
					clearTimeout(entry.release);
					Object.assign(entry, { context, release: undefined });
				} else entry.release ??= setTimeout(() => remove(service), lingerMs(config)).unref();
			}
			for (const context of contexts) if (!entries.has(context.service)) add(context);
		},
		close: () => {
			for (const { set, release } of entries.values()) {
				clearTimeout(release);
				set.close();
			}
		},
	};
}

/** The longest time from the choice of a route to the last attempt of a request. */
function lingerMs({ DEADLINE_MS, REQUEST_TIMEOUT_MS }: InstanceTableDeps<never>['config']): number {
	return DEADLINE_MS + REQUEST_TIMEOUT_MS;
}
