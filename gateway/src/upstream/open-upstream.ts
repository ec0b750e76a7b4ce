import type { Instance } from '@paddock/discovery';
import type { GatewayConfig } from '../config.ts';
import type { Context } from '../contexts.ts';
import type { OpenForwarder } from '../forwarder/open-forwarder.ts';
import type { BreakerOrders } from '../resilience/breaker-orders.ts';
import { createBulkhead } from '../resilience/bulkhead.ts';
import {
	type BreakerTransition,
	createInstanceBreaker,
	type InstanceBreaker,
} from '../resilience/instance-breaker.ts';
import { obedientBreaker } from '../resilience/obedient-breaker.ts';
import type { InstanceState, Upstream } from './upstream.ts';

export interface OpenUpstreamDeps {
	readonly config: GatewayConfig;
	readonly orders: BreakerOrders;
	readonly openForwarder: OpenForwarder;
	/** Whether an instance's health probe lets its breaker become half-open. Must not reject. */
	readonly mayProbe: (instance: Instance) => Promise<boolean>;
	readonly onTransition: (context: Context, instance: Instance, transition: BreakerTransition) => void;
	readonly now: () => Date;
}

/** Creates what the gateway keeps for one instance: breaker, bulkhead and connections, shared with no other instance. */
export function openUpstream(
	deps: OpenUpstreamDeps,
	context: Context,
	instance: Instance,
	former?: InstanceState,
): Upstream {
	const { config } = deps;
	const max = config.UPSTREAM_SOCKETS_MAX;
	return {
		instance,
		service: context.service,
		breaker: former?.breaker ?? openBreaker(deps, context, instance),
		// The queue is as long as the bulkhead is wide: a burst is not an overload.
		bulkhead: former?.bulkhead ?? createBulkhead({ max, waitingMax: max }),
		forwarder: deps.openForwarder(instance.url, {
			connectTimeoutMs: config.CONNECT_TIMEOUT_MS,
			socketsMax: config.UPSTREAM_SOCKETS_MAX,
			idleMs: config.UPSTREAM_IDLE_MS,
		}),
		inFlight: 0,
	};
}

function openBreaker(deps: OpenUpstreamDeps, context: Context, instance: Instance): InstanceBreaker {
	const { config, now } = deps;
	const breaker = createInstanceBreaker({
		settings: {
			windowMs: config.BREAKER_WINDOW_MS,
			volume: config.BREAKER_VOLUME,
			failurePercent: config.BREAKER_FAILURE_PERCENT,
			openMs: config.BREAKER_OPEN_MS,
		},
		now,
		mayProbe: () => deps.mayProbe(instance),
		onTransition: (transition) => deps.onTransition(context, instance, transition),
	});
	return obedientBreaker(breaker, () => deps.orders.of(context.name, instance.id));
}
