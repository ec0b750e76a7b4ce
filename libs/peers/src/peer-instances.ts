import type { Agent } from 'node:http';
import { type Instance, type MutualTls, type Registry, serviceAgent } from '@paddock/discovery';
import {
	type BreakerSettings,
	type BreakerState,
	type CircuitBreaker,
	createCircuitBreaker,
	createRetryBudget,
	type RetryBudget,
	type RetryBudgetSettings,
} from '@paddock/resilience';
import type { Logger } from '@paddock/telemetry';
import { causeText } from '@paddock/telemetry/loggable';
import { createRetention } from '@paddock/upstream';

/** One instance of a peer with its own connections and circuit breaker. */
export interface PeerInstance {
	readonly url: string;
	readonly agent: Agent;
	readonly breaker: CircuitBreaker;
}

export interface PeerInstances {
	/** The registered instances, starting with another one on each call. */
	rotated(): readonly PeerInstance[];
	/** For all calls to this service, so that a failing service doesn't consume the budget of another one. */
	readonly retryBudget: RetryBudget;
	/** The states of the circuit breakers of all known instances. */
	breakers(): readonly BreakerState[];
	/** Milliseconds until the first open breaker may become half-open. */
	waitMs(): number;
	/** Stops the watch and closes every connection. */
	close(): void;
}

/** Same as in the gateway. */
export const retryBudgetDefault: RetryBudgetSettings = { percent: 20, min: 3 };

interface PeerInstancesDeps {
	readonly registry: Registry;
	readonly service: string;
	readonly breaker: BreakerSettings;
	readonly retryBudget: RetryBudgetSettings;
	/** Without it, connections are plain HTTP. */
	readonly tls?: MutualTls | undefined;
	readonly logger: Logger;
	readonly now: () => Date;
}

/** Same as in the gateway. */
export const breakerDefault: BreakerSettings = {
	windowMs: 30_000,
	volume: 10,
	failurePercent: 50,
	openMs: 10_000,
};

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

const departedMax = 64;

/**
 * Follows the registry's list of one service. Closes the connections of a removed instance at once, and its circuit
 * breaker when the instance has been absent for so long that the breaker's state is outdated.
 */
export function watchPeerInstances(deps: PeerInstancesDeps): PeerInstances {
	const watch = deps.registry.watch(deps.service);
	const known = new Map<string, PeerInstance>();
	const departed = createRetention<CircuitBreaker>({
		retainMs: Math.max(deps.breaker.windowMs, deps.breaker.openMs),
		max: departedMax,
		dispose: (breaker) => breaker.close(),
	});
	let turn = 0;
	const follow = (instances: readonly Instance[]): void => {
		const listed = new Map(instances.map((instance) => [`${instance.id} ${instance.url}`, instance]));
		for (const [key, gone] of known) {
			if (listed.has(key)) continue;
			known.delete(key);
			departed.keep(key, gone.breaker);
			retire(gone.agent);
		}
		for (const [key, instance] of listed) {
			if (!known.has(key)) known.set(key, openInstance(deps, instance, departed.take(key)));
		}
	};
	follow(watch.current().instances);
	const unsubscribe = watch.onChange((snapshot) => follow(snapshot.instances));
	return {
		rotated: () => {
			const all = [...known.values()];
			turn += 1;
			return [...all.slice(turn % all.length), ...all.slice(0, turn % all.length)];
		},
		retryBudget: createRetryBudget(deps.retryBudget),
		breakers: () => [...known.values()].map(({ breaker }) => breaker.view().state),
		waitMs: () => {
			const tries = [...known.values()].map(({ breaker }) => breaker.view().nextTryAt?.getTime() ?? 0);
			return Math.max(0, Math.min(...tries) - deps.now().getTime());
		},
		close: () => {
			unsubscribe();
			watch.stop();
			for (const { agent, breaker } of known.values()) {
				agent.destroy();
				breaker.close();
			}
			known.clear();
			departed.close();
		},
	};
}

function openInstance(
	{ service, breaker, tls, logger, now }: PeerInstancesDeps,
	instance: Instance,
	former: CircuitBreaker | undefined,
): PeerInstance {
	return {
		url: instance.url,
		agent: serviceAgent(service, agentOptions, tls),
		breaker:
			former ??
			createCircuitBreaker({
				settings: breaker,
				now,
				onTransition: ({ from, to, cause }) => {
					const change = { from, to, cause: to === 'OPEN' ? causeText(cause) : undefined };
					logger.warn('circuit breaker of a peer', { peer: service, instance: instance.id, ...change });
				},
			}),
	};
}

/** Closes idle connections and stops keeping them; unlike destroy(), requests in flight are completed. */
function retire(agent: Agent): void {
	agent.maxFreeSockets = 0;
	for (const sockets of Object.values(agent.freeSockets)) {
		for (const socket of sockets ?? []) socket.destroy();
	}
}
