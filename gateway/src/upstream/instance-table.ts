import type { Instance, Registry, ServiceSnapshot } from '@paddock/discovery';
import { type InstanceSet, openInstanceSet } from '@paddock/upstream';
import type { GatewayConfig } from '../config/config.ts';
import type { Context } from '../contexts/context.ts';

/** The known instances of the contexts' services, as `Item`: what the process keeps of an instance. */
export interface InstanceTable<Item, C extends Pick<Context, 'service'> = Context> {
	upstreams(service: string): readonly Item[];
	find(service: string, instance: string): Item | undefined;
	snapshot(service: string): ServiceSnapshot;
	responded(): boolean;
	/** Follows the services of these contexts. Those of others are closed when the requests that are under way have ended. */
	follow(contexts: readonly C[]): void;
	close(): void;
}

/** How the items of a table begin and end. */
export interface InstanceOpening<Item, State, C = Context> {
	/** Creates the item of an instance, from its former state after a short absence. `context` is that of the service at each call. */
	readonly open: (context: () => C, instance: Instance, former: State | undefined) => Item;
	/** The instance has left the registry. @returns the state to keep during a short absence */
	readonly leave: (item: Item) => State;
	/** The absence was not short. */
	readonly dispose: (state: State) => void;
}

interface InstanceTableDeps<Item, State, C> extends InstanceOpening<Item, State, C> {
	readonly config: Pick<
		GatewayConfig,
		'BREAKER_WINDOW_MS' | 'BREAKER_OPEN_MS' | 'DEADLINE_MS' | 'REQUEST_TIMEOUT_MS'
	>;
	readonly registry: Registry;
	readonly contexts: readonly C[];
	readonly onGone?: () => void;
}

interface Entry<Item, C> {
	context: C;
	readonly set: InstanceSet<Item>;
	/** Set while only requests that are under way need the entry. */
	release: NodeJS.Timeout | undefined;
}

/** Follows the registry for the services of all contexts, see `openInstanceSet`. */
export function openInstanceTable<
	Item extends { readonly instance: Instance },
	State,
	C extends Pick<Context, 'service'>,
>(deps: InstanceTableDeps<Item, State, C>): InstanceTable<Item, C> {
	const { config, registry } = deps;
	const entries = new Map<string, Entry<Item, C>>();
	const openSet = (context: C): InstanceSet<Item> => {
		const present = (): C => entries.get(context.service)?.context ?? context;
		return openInstanceSet<Item, State>({
			registry,
			service: context.service,
			retainMs: Math.max(config.BREAKER_WINDOW_MS, config.BREAKER_OPEN_MS),
			open: (instance, former) => deps.open(present, instance, former),
			leave: (item) => {
				const state = deps.leave(item);
				deps.onGone?.();
				return state;
			},
			dispose: deps.dispose,
		});
	};
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
	const of = (service: string): InstanceSet<Item> => {
		const entry = entries.get(service);
		if (entry === undefined) throw new TypeError(`${service} is not watched.`);
		return entry.set;
	};
	return {
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
function lingerMs({
	DEADLINE_MS,
	REQUEST_TIMEOUT_MS,
}: InstanceTableDeps<never, never, never>['config']): number {
	return DEADLINE_MS + REQUEST_TIMEOUT_MS;
}
