import type { Instance } from '@paddock/discovery';
import type { Logger } from '@paddock/telemetry';
import type { GatewayConfig } from '../config.ts';
import type { Context } from '../contexts.ts';
import type { InstanceState, Upstream } from '../discovery/instance-table.ts';
import type { HealthHistory } from '../health/health-history.ts';
import type { Prober } from '../health/probe.ts';
import type { GatewayMetrics } from '../operations/gateway-metrics.ts';
import type { Forwarder } from '../proxy/forwarder.ts';
import { createHttpProxyForwarder } from '../proxy/http-proxy-forwarder.ts';
import { InstanceAgent } from '../proxy/instance-agent.ts';
import { InstancePool } from '../proxy/instance-pool.ts';
import { createReplayForwarder } from '../proxy/replay-forwarder.ts';
import type { Lanes } from '../proxy/two-lanes.ts';
import type { BreakerOrders } from './breaker-orders.ts';
import { createBulkhead } from './bulkhead.ts';
import { type BreakerState, createInstanceBreaker, type InstanceBreaker } from './instance-breaker.ts';
import { obedientBreaker } from './obedient-breaker.ts';

export interface OpenUpstreamDeps {
	readonly config: GatewayConfig;
	readonly metrics: GatewayMetrics;
	readonly prober: Prober;
	readonly orders: BreakerOrders;
	readonly history: HealthHistory;
	readonly joinLanes: (lanes: Lanes) => Forwarder;
	/** Called when a breaker has changed. */
	readonly onTransition: () => void;
	readonly logger: Logger;
	readonly now: () => Date;
}

/** Makes what the gateway keeps for one instance: breaker, bulkhead and connections (a set for each lane), all its own. */
export function openUpstream(
	deps: OpenUpstreamDeps,
	context: Context,
	instance: Instance,
	former?: InstanceState,
): Upstream {
	const { config } = deps;
	return {
		instance,
		service: context.service,
		breaker: former?.breaker ?? openBreaker(deps, context, instance),
		// As many again may wait: a burst is no overload yet.
		bulkhead:
			former?.bulkhead ??
			createBulkhead({
				max: config.UPSTREAM_SOCKETS_MAX,
				waitingMax: config.UPSTREAM_SOCKETS_MAX,
			}),
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
		// A request that must fail costs a user; a health probe costs nobody. But it proves too little to close the breaker.
		mayProbe: async () => (await deps.prober.probe(instance.url)).status !== 'DOWN',
		onTransition: (from, to, cause) => tell(deps, context, instance, { from, to, cause }),
	});
	return obedientBreaker(breaker, () => deps.orders.of(context.name, instance.id));
}

interface Transition {
	readonly from: BreakerState;
	readonly to: BreakerState;
	readonly cause: unknown;
}

function tell(
	deps: OpenUpstreamDeps,
	context: Context,
	instance: Instance,
	{ from, to, cause }: Transition,
): void {
	deps.onTransition();
	deps.metrics.countTransition(context.service, from, to);
	deps.logger.warn('circuit breaker', {
		upstream: context.service,
		instance: instance.id,
		from,
		to,
		cause,
	});
	deps.history.record({
		context: context.name,
		instance: instance.id,
		what: 'breaker',
		from,
		to,
		cause: wordsFor(to, cause),
	});
}

// What is shown to everybody: an error of the network would name addresses.
function wordsFor(to: BreakerState, cause: unknown): string {
	if (to === 'HALF_OPEN') return 'reset timeout elapsed, health probe did not fail; one request decides';
	if (to === 'CLOSED') return 'half-open request succeeded';
	return cause instanceof Error ? cause.message : 'too many failures';
}
