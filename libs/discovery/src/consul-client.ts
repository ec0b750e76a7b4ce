import http from 'node:http';
import https from 'node:https';
import Consul from 'consul';
import type { ConsulAddress } from './consul-address.ts';
import { callConsul } from './consul-call.ts';
import type { ConsulContact } from './consul-contact.ts';
import { readEntries, readLeader, readRegistered } from './consul-responses.ts';
import { failOnBrokenBody } from './fail-on-broken-body.ts';
import type { Registration } from './registry.ts';
import { serviceDefinition } from './service-definition.ts';

/** The calls to Consul that discovery needs. All throw a ConsulCallError, also when the signal aborts them. */
export interface ConsulClient {
	/**
	 * `/v1/health/service/:name?passing=1`. With an index above 0 this is a blocking query: Consul responds on a change
	 * or after about `waitMs`. Resolves to the body, one unknown per entry, and the response's index.
	 * https://developer.hashicorp.com/consul/api-docs/features/blocking
	 */
	passingEntries(
		service: string,
		query: { index: bigint; waitMs: number },
		signal: AbortSignal,
	): Promise<{ entries: unknown[]; index: bigint }>;
	/** `/v1/status/leader`: queries the Raft leader and reports it to `contact`. */
	probe(signal: AbortSignal): Promise<void>;
	/** `/v1/agent/services`: the agent's entry for an id, or undefined. */
	findRegistered(id: string, signal: AbortSignal): Promise<{ address: unknown; port: unknown } | undefined>;
	register(registration: Registration, signal: AbortSignal): Promise<void>;
	deregister(id: string, signal: AbortSignal): Promise<void>;
	/** Closes the kept-alive connections. */
	close(): void;
}

export interface ConsulClientDeps {
	address: ConsulAddress;
	token: string | undefined;
	callTimeoutMs: number;
	deregisterCriticalAfterMs: number;
	/** Receives the outcome of every call that wasn't aborted. */
	contact: ConsulContact;
}

/**
 * Wraps the `consul` package. Its own `watch` isn't used: it stops permanently on a 400 or a missing index and doesn't
 * pause between two responses.
 */
export function createConsulClient(deps: ConsulClientDeps): ConsulClient {
	const { contact, callTimeoutMs: timeoutMs } = deps;
	const agent = new (deps.address.secure ? https : http).Agent({ keepAlive: true });
	const defaults = deps.token === undefined ? {} : { defaults: { token: deps.token } };
	const consul = new Consul({ ...deps.address, agent, ...defaults });
	failOnBrokenBody(consul);

	return {
		passingEntries: (service, { index, waitMs }, signal) => {
			const blocking = index > 0n;
			const query = blocking ? { index: String(index), wait: `${waitMs}ms` } : {};
			return callConsul(contact, {
				kind: 'health.service',
				signal,
				// Consul adds up to a sixteenth to the requested wait; one more second is allowed for the response.
				timeoutMs: blocking ? waitMs * 1.1 + 1_000 : timeoutMs,
				run: (options) => consul.health.service({ service, passing: true, ...query, ...options }),
				read: readEntries,
			});
		},
		probe: async (signal) => {
			const run = (options: object) => consul.status.leader(options);
			contact.leaderIs(
				await callConsul(contact, { kind: 'status.leader', signal, timeoutMs, run, read: readLeader }),
			);
		},
		findRegistered: (id, signal) =>
			callConsul(contact, {
				kind: 'agent.services',
				signal,
				timeoutMs,
				run: (options) => consul.agent.service.list(options),
				read: (response) => readRegistered(response, id),
			}),
		register: (registration, signal) =>
			callConsul(contact, {
				kind: 'agent.register',
				signal,
				timeoutMs,
				run: (options) =>
					consul.agent.service.register({
						...serviceDefinition(registration, deps.deregisterCriticalAfterMs),
						...options,
					}),
				read: () => undefined,
			}),
		deregister: (id, signal) =>
			callConsul(contact, {
				kind: 'agent.deregister',
				signal,
				timeoutMs,
				run: (options) => consul.agent.service.deregister({ id, ...options }),
				read: () => undefined,
			}),
		close: () => agent.destroy(),
	};
}
