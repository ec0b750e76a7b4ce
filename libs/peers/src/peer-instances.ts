import type { Agent } from 'node:http';
import { type MutualTls, openServiceAgents, type Registry, retireAgent } from '@paddock/discovery';
import {
	type BreakerSettings,
	type CircuitBreaker,
	createRetryBudget,
	openCircuitBreaker,
	type RetryBudget,
	type RetryBudgetSettings,
} from '@paddock/resilience';
import type { Logger } from '@paddock/telemetry';
import { causeText } from '@paddock/telemetry/loggable';
import {
	type Candidate,
	chooseInstance,
	type InstanceSet,
	openInstanceSet,
	type Random,
} from '@paddock/upstream';

/** One instance of a peer with its own connections and circuit breaker. */
export interface PeerInstance extends Candidate {
	/** To be read for each call, see `openServiceAgents`. */
	readonly agent: Agent;
	readonly breaker: CircuitBreaker;
	inFlight: number;
}

export interface PeerInstances extends Pick<InstanceSet<PeerInstance>, 'all' | 'close'> {
	/** An available instance, see `chooseInstance`. */
	choose(tried: PeerInstance | undefined): PeerInstance | undefined;
	/** For all calls to this service, so that a failing service doesn't consume the budget of another one. */
	readonly retryBudget: RetryBudget;
	/** Milliseconds until the first open breaker may become half-open. */
	waitMs(): number;
}

interface PeerInstancesDeps {
	readonly registry: Registry;
	readonly service: string;
	readonly breaker: BreakerSettings;
	readonly retryBudget: RetryBudgetSettings;
	readonly tls?: MutualTls | undefined;
	readonly logger: Logger;
	readonly now: () => Date;
	readonly random: Random;
}

const socketsMax = 32;
// Shorter than the 65 s after which the services close an idle connection.
const idleMs = 30_000;

const agentOptions = {
	keepAlive: true,
	maxSockets: socketsMax,
	maxFreeSockets: socketsMax,
	timeout: idleMs,
	scheduling: 'lifo',
} as const;

export function watchPeerInstances(deps: PeerInstancesDeps): PeerInstances {
	const { registry, service, breaker: settings, tls, logger, now } = deps;
	const openBreaker = (instance: string): CircuitBreaker =>
		openCircuitBreaker({
			settings,
			now,
			onTransition: ({ from, to, cause }) => {
				const change = { from, to, cause: to === 'OPEN' ? causeText(cause) : undefined };
				logger.warn('circuit breaker of a peer', { peer: service, instance, ...change });
			},
		});
	const { all, close } = openInstanceSet<PeerInstance, CircuitBreaker>({
		registry,
		service,
		retainMs: Math.max(settings.windowMs, settings.openMs),
		open: (instance, former) => {
			const agents = openServiceAgents(agentOptions, tls);
			return {
				instance,
				get agent() {
					return agents.of(service);
				},
				breaker: former ?? openBreaker(instance.id),
				inFlight: 0,
			};
		},
		leave: ({ agent, breaker }) => {
			retireAgent(agent);
			return breaker;
		},
		dispose: (breaker) => breaker.close(),
	});
	return {
		choose: (tried) => chooseInstance(all(), tried, deps.random),
		all,
		retryBudget: createRetryBudget(deps.retryBudget),
		waitMs: () => {
			const tries = all().map(({ breaker }) => breaker.view().nextTryAt?.getTime() ?? 0);
			return Math.max(0, Math.min(...tries) - now().getTime());
		},
		close: () => {
			for (const { agent } of all()) agent.destroy();
			close();
		},
	};
}
