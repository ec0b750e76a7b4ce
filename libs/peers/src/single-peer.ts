import type { BreakerSettings } from '@paddock/circuit-breaker';
import type { MutualTls, Registry } from '@paddock/discovery';
import type { Logger } from '@paddock/telemetry';
import { openPeer } from './open-peer.ts';
import type { Peer } from './peer.ts';
import { breakerDefault, retryBudgetDefault, watchPeerInstances } from './peer-instances.ts';
import type { ServiceToken } from './service-token.ts';

export interface SinglePeerDeps {
	readonly registry: Registry;
	/** The called service, e.g. `auth-service`. */
	readonly service: string;
	/** The caller, for the `User-Agent`. */
	readonly client: string;
	/** Time-out of one attempt; a whole call takes at most twice as long. */
	readonly timeoutMs: number;
	/** Without it, connections are plain HTTP. */
	readonly tls?: MutualTls | undefined;
	readonly logger: Logger;
	readonly now: () => Date;
	readonly breaker?: BreakerSettings;
}

export interface SinglePeer extends Peer {
	/** Stops the watch and closes the connections; calls in progress fail. */
	close(): void;
}

/** A single peer, called with forwarded credentials or without any. */
export function createSinglePeer(deps: SinglePeerDeps): SinglePeer {
	const { breaker = breakerDefault } = deps;
	const instances = watchPeerInstances({ ...deps, breaker, retryBudget: retryBudgetDefault });
	const peer = openPeer({ ...deps, instances, token: noToken, observe: () => undefined });
	return { ...peer, close: instances.close };
}

const noToken: ServiceToken = {
	get: () => Promise.reject(new TypeError('This peer has no credentials of its own.')),
	drop: () => undefined,
	close: () => undefined,
};
