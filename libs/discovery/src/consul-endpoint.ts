import http from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import type Consul from 'consul';
import type { ConsulAccess } from './consul-access.ts';
import { type ConsulAddress, consulUrl } from './consul-address.ts';
import { correctPapi } from './correct-papi.ts';

/** The connections to one address of Consul. */
export interface ConsulEndpoint {
	/** `http://host:port` */
	url: string;
	/** Time-out of a call that doesn't block. */
	timeoutMs: number;
	/** For blocking queries: one connection each. */
	queries: Consul;
	/**
	 * For all other calls: a single connection that is kept alive. A TCP load balancer sends all calls of a connection
	 * to the same agent, so that an instance is registered at and deregistered from the same one.
	 */
	calls: Consul;
	/** Aborts the blocking queries in progress; they fail with this error. */
	abort(error: Error): void;
	/** The signal of `abort()` for queries that start now. */
	signal(): AbortSignal;
	/** Closes the kept-alive connections. */
	close(): void;
}

// Longer than the interval of all calls: only connections of an address that is no longer used are idle for so long.
const idleMs = 30_000;
const require = createRequire(import.meta.url);

/** Opens no connection yet. */
export function createConsulEndpoint(
	address: ConsulAddress,
	access: ConsulAccess,
	timeoutMs: number,
): ConsulEndpoint {
	const { token, namespace, tls = {} } = access;
	const agent = (options: http.AgentOptions) =>
		address.secure ? new https.Agent({ ...options, ...tls }) : new http.Agent(options);
	const kept = { keepAlive: true, timeout: idleMs };
	const agents = [agent(kept), agent({ ...kept, maxSockets: 1 })] as const;
	// Not imported: without Consul, no process loads the package and its dependencies.
	const ConsulClient: typeof Consul = require('consul');
	const client = (agent: http.Agent): Consul => {
		const headers = namespace === undefined ? {} : { headers: { 'x-consul-namespace': namespace } };
		const defaults = token === undefined ? {} : { defaults: { token } };
		const consul = new ConsulClient({ ...address, agent, ...headers, ...defaults });
		correctPapi(consul);
		return consul;
	};
	let aborting = new AbortController();
	return {
		url: consulUrl(address),
		timeoutMs,
		queries: client(agents[0]),
		calls: client(agents[1]),
		abort: (error) => {
			aborting.abort(error);
			aborting = new AbortController();
		},
		signal: () => aborting.signal,
		close: () => {
			for (const each of agents) each.destroy();
		},
	};
}
