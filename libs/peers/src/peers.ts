import type { MutualTls, Registry } from '@paddock/discovery';
import {
	type BreakerSettings,
	type BreakerState,
	breakerDefault,
	type RetryBudgetSettings,
	retryBudgetDefault,
} from '@paddock/resilience';
import type { Logger, Metrics } from '@paddock/telemetry';
import { openPeer, peerMetrics } from './open-peer.ts';
import type { Peer, PeerService } from './peer.ts';
import { type PeerInstances, watchPeerInstances } from './peer-instances.ts';
import { openServiceToken, type ServiceToken } from './service-token.ts';

export interface PeersDeps {
	readonly registry: Registry;
	/** The contexts that may be called, from our own context description. */
	readonly calls: readonly string[];
	/** Our service name at auth, e.g. `horses-service`. */
	readonly client: string;
	/** The setting SERVICE_SECRET, for which auth issues tokens; in auth itself, the source of the tokens. */
	readonly secret: string | ServiceToken;
	readonly tls?: MutualTls | undefined;
	readonly logger: Logger;
	readonly metrics: Metrics;
	readonly now: () => Date;
	/** Time-out of one attempt; a whole call takes at most twice as long. */
	readonly timeoutMs?: number;
	readonly breaker?: BreakerSettings;
	readonly retryBudget?: RetryBudgetSettings;
	/** A number from 0 up to, not including, 1. */
	readonly random?: () => number;
}

export type Peers = ReturnType<typeof openPeers>;

const timeoutMsDefault = 1_500;

/** Starts watching the registry at once, so that the instances are known at the first call. */
export function openPeers(deps: PeersDeps) {
	const { registry, tls, logger, now, timeoutMs = timeoutMsDefault } = deps;
	const { breaker = breakerDefault, retryBudget = retryBudgetDefault, random = Math.random } = deps;
	const watch = (service: string) =>
		watchPeerInstances({ registry, service, breaker, retryBudget, tls, logger, now, random });
	const auth = watch('auth-service');
	const instancesOf = (service: PeerService) => (service === 'auth-service' ? auth : watch(service));
	const token = tokenOf(deps, auth, timeoutMs);
	const observe = peerMetrics(deps.metrics);
	const called = deps.calls.map((name): PeerService => `${name}-service`);
	const opened = [...new Set<PeerService>(['auth-service', ...called])].map((service) => {
		const instances = instancesOf(service);
		const peer = openPeer({ service, instances, token, client: deps.client, timeoutMs, logger, observe });
		return { service, instances, peer };
	});
	const peers = new Map(opened.map(({ service, peer }) => [service, peer]));
	return {
		peer: (service: PeerService): Peer => {
			const peer = peers.get(service);
			if (peer === undefined) throw new TypeError(`${service} is no peer.`);
			return peer;
		},
		/** Services without any closed circuit breaker; for the health response. */
		failing: (): Readonly<Record<string, 'OPEN' | 'HALF_OPEN'>> =>
			Object.fromEntries(
				opened.flatMap(({ service, instances }) => {
					const state = failingState(instances.all().map(({ breaker }) => breaker.view().state));
					return state === undefined ? [] : [[service, state]];
				}),
			),
		/** Stops the watches and closes the connections; calls in progress fail. */
		close: async (): Promise<void> => {
			token.close();
			for (const { instances } of opened) instances.close();
		},
	};
}

function tokenOf(deps: PeersDeps, auth: PeerInstances, timeoutMs: number): ServiceToken {
	const { secret } = deps;
	if (typeof secret !== 'string') return secret;
	return openServiceToken({ ...deps, secret, auth, timeoutMs });
}

function failingState(states: readonly BreakerState[]): 'OPEN' | 'HALF_OPEN' | undefined {
	if (states.length === 0 || states.includes('CLOSED')) return undefined;
	return states.includes('HALF_OPEN') ? 'HALF_OPEN' : 'OPEN';
}

interface SinglePeerDeps extends Pick<PeersDeps, 'registry' | 'tls' | 'logger' | 'now' | 'breaker'> {
	readonly service: string;
	readonly client: string;
	/** Time-out of one attempt; a whole call takes at most twice as long. */
	readonly timeoutMs: number;
}

/** A single peer, called with forwarded credentials or without any. */
export function openSinglePeer(deps: SinglePeerDeps) {
	const { breaker = breakerDefault } = deps;
	const instances = watchPeerInstances({
		random: Math.random,
		...deps,
		breaker,
		retryBudget: retryBudgetDefault,
	});
	const peer = openPeer({ ...deps, instances, token: noToken, observe: () => undefined });
	return { ...peer, close: instances.close };
}

const noToken: ServiceToken = {
	get: () => Promise.reject(new TypeError('This peer has no credentials of its own.')),
	drop: () => undefined,
	/** Stops the watch and closes the connections; calls in progress fail. */
	close: (): void => undefined,
};
