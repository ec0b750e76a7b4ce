import type { Instance } from '@paddock/discovery';
import type { GatewayConfig } from '../config.ts';
import type { Context } from '../contexts.ts';
import type { Forwarder } from '../forwarder/forwarder.ts';
import { createHttpProxyForwarder } from '../forwarder/http-proxy-forwarder.ts';
import { InstanceAgent } from '../forwarder/instance-agent.ts';
import { InstancePool } from '../forwarder/instance-pool.ts';
import { createReplayForwarder } from '../forwarder/replay-forwarder.ts';
import type { Lanes } from '../forwarder/two-lanes.ts';
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
	readonly joinLanes: (lanes: Lanes) => Forwarder;
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
	const max = deps.config.UPSTREAM_SOCKETS_MAX;
	return {
		instance,
		service: context.service,
		breaker: former?.breaker ?? openBreaker(deps, context, instance),
		// The queue is as long as the bulkhead is wide: a burst is not an overload.
		bulkhead: former?.bulkhead ?? createBulkhead({ max, waitingMax: max }),
		forwarder: openForwarder(deps, instance.url),
		inFlight: 0,
	};
}

function openForwarder({ config, joinLanes }: OpenUpstreamDeps, url: string): Forwarder {
	const settings = {
		connectTimeoutMs: config.CONNECT_TIMEOUT_MS,
		socketsMax: config.UPSTREAM_SOCKETS_MAX,
		idleMs: config.UPSTREAM_IDLE_MS,
	};
	return joinLanes({
		replay: createReplayForwarder({ pool: new InstancePool(url, settings) }),
		stream: createHttpProxyForwarder({ url, agent: new InstanceAgent(settings) }),
	});
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
