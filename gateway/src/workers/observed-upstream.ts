import type { Instance } from '@paddock/discovery';
import type { BreakerTransition, BreakerView } from '@paddock/resilience';
import { createBulkhead } from '@paddock/resilience';
import type { Context } from '../contexts/context.ts';
import type { BreakerOverrides } from '../upstream/breaker-overrides.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';
import { overridableBreaker } from '../upstream/override-table.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { Workers } from './workers.ts';

/** An instance in the primary process, which observes what the workers report and sends no requests. */
export function observedUpstream(
	{ service, name }: Pick<Context, 'service' | 'name'>,
	instance: Instance,
	deps: {
		readonly workers: Workers;
		readonly overrides: Pick<BreakerOverrides, 'of'>;
		readonly now: () => Date;
	},
): Upstream {
	const since = deps.now();
	const unreported: BreakerView = { state: 'CLOSED', since, failureRate: undefined, nextTryAt: undefined };
	const view = () => deps.workers.breaker(service, instance.id)?.view ?? unreported;
	const breaker = {
		...{ admits: () => false, admit: () => undefined, view, close: () => undefined },
		trip: ({ message }: Error) => deps.workers.trip(service, instance.id, message),
		reset: () => deps.workers.reset(service, instance.id),
	};
	return {
		instance,
		service,
		breaker: overridableBreaker(breaker, deps.overrides, { context: name, instance: instance.id }),
		bulkhead: createBulkhead({ max: 1, waitingMax: 0 }),
		forwarder: {
			forward: () => Promise.reject(new TypeError('The primary process forwards no requests.')),
			close: () => undefined,
		},
		get inFlight() {
			return deps.workers.inFlight(service, instance.id);
		},
		get respondedAt() {
			return deps.workers.lastResults(service, instance.id).respondedAt;
		},
		get failedAt() {
			return deps.workers.lastResults(service, instance.id).failedAt;
		},
		set inFlight(_) {
			throw new TypeError('The primary process forwards no requests.');
		},
	};
}

/** Reports changes of the merged state of each breaker. */
export function observeTransitions(deps: {
	readonly workers: Workers;
	readonly contexts: readonly Context[];
	readonly table: InstanceTable;
	readonly onTransition: (context: Context, instance: Instance, transition: BreakerTransition) => void;
}): void {
	const known = new WeakMap<Upstream, BreakerView['state']>();
	deps.workers.onReport(() => {
		for (const context of deps.contexts) {
			for (const upstream of deps.table.upstreams(context.service)) {
				const from = known.get(upstream) ?? 'CLOSED';
				const { state: to } = upstream.breaker.ownView();
				if (from === to) continue;
				known.set(upstream, to);
				const reason = deps.workers.breaker(context.service, upstream.instance.id)?.cause;
				const cause = reason === undefined ? undefined : new Error(reason);
				deps.onTransition(context, upstream.instance, { from, to, cause });
			}
		}
	});
}
