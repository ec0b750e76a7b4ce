import type { Instance } from '@paddock/discovery';
import type { BreakerTransition, BreakerView } from '@paddock/resilience';
import type { Context } from '../contexts/context.ts';
import type { BreakerOverrides } from '../upstream/breaker-overrides.ts';
import type { InstanceOpening, InstanceTable } from '../upstream/instance-table.ts';
import { overriddenView } from '../upstream/override-table.ts';
import type { ObservedInstance } from '../upstream/upstream.ts';
import type { Workers } from './workers.ts';

interface ObservedInstancesDeps {
	readonly workers: Workers;
	readonly overrides: Pick<BreakerOverrides, 'of'>;
	readonly now: () => Date;
}

/** The instances as the workers report them; all that they keep of one is kept in them. */
export function observedInstances(deps: ObservedInstancesDeps): InstanceOpening<ObservedInstance, undefined> {
	return {
		open: (context, instance) => observedInstance(deps, context, instance),
		leave: () => undefined,
		dispose: () => undefined,
	};
}

function observedInstance(
	{ workers, overrides, now }: ObservedInstancesDeps,
	context: () => Context,
	instance: Instance,
): ObservedInstance {
	const { service } = context();
	const { id } = instance;
	const unreported: BreakerView = {
		state: 'CLOSED',
		since: now(),
		failureRate: undefined,
		nextTryAt: undefined,
	};
	return {
		instance,
		service,
		breaker: {
			view: () =>
				overriddenView(workers.breaker(service, id)?.view ?? unreported, overrides.of(context().name, id)),
			trip: ({ message }) => workers.trip(service, id, message),
			reset: () => workers.reset(service, id),
		},
		get inFlight() {
			return workers.inFlight(service, id);
		},
		get respondedAt() {
			return workers.lastResults(service, id).respondedAt;
		},
		get failedAt() {
			return workers.lastResults(service, id).failedAt;
		},
	};
}

/** Reports changes of the merged state of each breaker. */
export function observeTransitions(deps: {
	readonly workers: Workers;
	readonly contexts: readonly Context[];
	readonly table: InstanceTable<ObservedInstance>;
	readonly onTransition: (context: Context, instance: Instance, transition: BreakerTransition) => void;
}): void {
	const known = new WeakMap<ObservedInstance, BreakerView['state']>();
	deps.workers.onReport(() => {
		for (const context of deps.contexts) {
			for (const observed of deps.table.upstreams(context.service)) {
				const from = known.get(observed) ?? 'CLOSED';
				const merged = deps.workers.breaker(context.service, observed.instance.id);
				const to = merged?.view.state ?? 'CLOSED';
				if (from === to) continue;
				known.set(observed, to);
				const cause = merged?.cause === undefined ? undefined : new Error(merged.cause);
				deps.onTransition(context, observed.instance, { from, to, cause });
			}
		}
	});
}
