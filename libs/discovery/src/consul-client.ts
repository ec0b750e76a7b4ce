import type { Logger } from '@paddock/telemetry';
import type { ConsulAccess } from './consul-access.ts';
import type { ConsulAddress } from './consul-address.ts';
import { type ConsulEndpoint, createConsulEndpoint } from './consul-endpoint.ts';
import { createConsulFailover } from './consul-failover.ts';
import { type ConsulRegistrationCalls, createRegistrationCalls } from './consul-registration-calls.ts';
import { readEntries, readLeader } from './consul-responses.ts';
import { type ConsulValues, createConsulValues } from './consul-values.ts';
import type { RegistryContact } from './registry-contact.ts';

/** The calls to Consul that discovery needs. All throw a ConsulCallError, also when the signal aborts them. */
export interface ConsulClient extends ConsulRegistrationCalls, ConsulValues {
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
	/** Closes the kept-alive connections. */
	close(): void;
}

export interface ConsulClientDeps {
	/** Tried in this order; see `ConsulFailover`. */
	addresses: readonly [ConsulAddress, ...ConsulAddress[]];
	access: ConsulAccess;
	callTimeoutMs: number;
	deregisterCriticalAfterMs: number;
	/** Receives the outcome of every call that wasn't aborted. */
	contact: RegistryContact;
	logger: Logger;
}

/**
 * Wraps the `consul` package. Its own `watch` isn't used: it stops permanently on a 400 or a missing index and doesn't
 * pause between two responses.
 */
export function createConsulClient(deps: ConsulClientDeps): ConsulClient {
	const { contact, logger, callTimeoutMs: timeoutMs } = deps;
	const [first, ...others] = deps.addresses;
	const open = (address: ConsulAddress) => createConsulEndpoint(address, deps.access);
	const endpoints: [ConsulEndpoint, ...ConsulEndpoint[]] = [open(first), ...others.map(open)];
	const failover = createConsulFailover({ endpoints, contact, logger });

	return {
		passingEntries: (service, { index, waitMs }, signal) =>
			failover.call((repeated) => {
				// Another address must respond at once, which shows that it is usable.
				const blocking = index > 0n && !repeated;
				const query = blocking ? { index: String(index), wait: `${waitMs}ms` } : {};
				return {
					kind: 'health.service',
					over: 'queries',
					signal,
					// Consul adds up to a sixteenth to the requested wait; one more second is allowed for the response.
					timeoutMs: blocking ? waitMs * 1.1 + 1_000 : timeoutMs,
					run: (consul, options) => consul.health.service({ service, passing: true, ...query, ...options }),
					read: readEntries,
				};
			}),
		probe: async (signal) => {
			contact.leaderIs(
				await failover.call(() => ({
					kind: 'status.leader',
					over: 'calls',
					signal,
					timeoutMs,
					run: (consul, options) => consul.status.leader(options),
					read: readLeader,
				})),
			);
		},
		...createRegistrationCalls({ ...deps, failover }),
		...createConsulValues({ ...deps, failover }),
		close: () => {
			for (const endpoint of endpoints) endpoint.close();
		},
	};
}
