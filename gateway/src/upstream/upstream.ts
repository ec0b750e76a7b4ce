import type { Instance, MutualTls } from '@paddock/discovery';
import {
	type BreakerTransition,
	type Bulkhead,
	createBulkhead,
	openCircuitBreaker,
} from '@paddock/resilience';
import type { GatewayConfig } from '../config/config.ts';
import type { Context } from '../contexts/context.ts';
import type { Forwarder, OpenForwarder } from '../forwarder/forwarder.ts';
import type { BreakerOverrides } from './breaker-overrides.ts';
import type { InstanceOpening } from './instance-table.ts';
import { type OverridableBreaker, overridableBreaker } from './override-table.ts';

/** One instance of a service, as health, metrics and the operations pages read it. */
export interface ObservedInstance {
	readonly instance: Instance;
	readonly service: string;
	readonly breaker: Pick<OverridableBreaker, 'view' | 'trip' | 'reset'>;
	/** Attempts in flight or waiting for a bulkhead slot. */
	readonly inFlight: number;
	/** performance.now() of the last response; undefined before the first. */
	readonly respondedAt: number | undefined;
	/** performance.now() of the last failure of an attempt that got no response. */
	readonly failedAt: number | undefined;
}

export interface Upstream extends ObservedInstance {
	readonly breaker: OverridableBreaker;
	readonly bulkhead: Bulkhead;
	readonly forwarder: Forwarder;
	inFlight: number;
	respondedAt: number | undefined;
	failedAt: number | undefined;
}

/** The part of an upstream that is kept during a short absence of its instance from the registry. */
export type InstanceState = Pick<Upstream, 'breaker' | 'bulkhead'>;

export interface OpenUpstreamDeps {
	readonly config: GatewayConfig;
	readonly overrides: Pick<BreakerOverrides, 'of'>;
	readonly openForwarder: OpenForwarder;
	readonly tls?: MutualTls | undefined;
	/** Whether an instance's health probe lets its breaker become half-open. Must not reject. */
	readonly mayProbe: (context: Context, instance: Instance) => Promise<boolean>;
	readonly onTransition: (context: Context, instance: Instance, transition: BreakerTransition) => void;
	readonly now: () => Date;
}

/** How the upstreams of a table of instances begin and end. */
export function upstreams(deps: OpenUpstreamDeps): InstanceOpening<Upstream, InstanceState> {
	return {
		open: (context, instance, former) => openUpstream(deps, context, instance, former),
		leave: ({ breaker, bulkhead, forwarder }) => {
			forwarder.close();
			return { breaker, bulkhead };
		},
		dispose: ({ breaker }) => breaker.close(),
	};
}

/** Creates what the gateway keeps for one instance: breaker, bulkhead and connections, shared with no other instance. */
function openUpstream(
	deps: OpenUpstreamDeps,
	context: () => Context,
	instance: Instance,
	former: InstanceState | undefined,
): Upstream {
	const { config, tls } = deps;
	const { service } = context();
	const max = config.UPSTREAM_SOCKETS_MAX;
	return {
		instance,
		service,
		breaker: former?.breaker ?? openBreaker(deps, context, instance),
		// Limits attempts before they reach an agent. An agent of Node.js counts a connection only once it is open, so a burst
		// opens far more than `maxSockets`; and its queue has no deadline.
		// The queue is as long as the bulkhead is wide: a burst is not an overload.
		bulkhead: former?.bulkhead ?? createBulkhead({ max, waitingMax: max }),
		forwarder: deps.openForwarder(instance.url, {
			connectTimeoutMs: config.CONNECT_TIMEOUT_MS,
			socketsMax: config.UPSTREAM_SOCKETS_MAX,
			idleMs: config.UPSTREAM_IDLE_MS,
			tls: tls && (() => tls.client(service)),
		}),
		inFlight: 0,
		respondedAt: undefined,
		failedAt: undefined,
	};
}

function openBreaker(deps: OpenUpstreamDeps, context: () => Context, instance: Instance): OverridableBreaker {
	const { config, now, overrides } = deps;
	const breaker = openCircuitBreaker({
		settings: {
			windowMs: config.BREAKER_WINDOW_MS,
			volume: config.BREAKER_VOLUME,
			failurePercent: config.BREAKER_FAILURE_PERCENT,
			openMs: config.BREAKER_OPEN_MS,
		},
		now,
		mayProbe: () => deps.mayProbe(context(), instance),
		onTransition: (transition) => deps.onTransition(context(), instance, transition),
	});
	return overridableBreaker(breaker, () => overrides.of(context().name, instance.id));
}
