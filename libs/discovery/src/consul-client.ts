import type { Logger } from '@paddock/telemetry';
import type { ConsulAccess } from './consul-access.ts';
import type { ConsulAddress } from './consul-address.ts';
import type { ConsulCall } from './consul-call.ts';
import { type ConsulEndpoint, createConsulEndpoint } from './consul-endpoint.ts';
import { createConsulFailover } from './consul-failover.ts';
import { type ConsulRegistrationCalls, createRegistrationCalls } from './consul-registration-calls.ts';
import { readEntries, readLeader, readReplaced, readValue } from './consul-responses.ts';
import type { RegistryContact } from './registry-contact.ts';

/** Of a query; with an index of 0 it doesn't block. */
interface Wait {
	index: bigint;
	waitMs: number;
}

/** The calls to Consul that discovery needs. All throw a ConsulCallError, also when the signal aborts them. */
export interface ConsulClient extends ConsulRegistrationCalls {
	/**
	 * `/v1/health/service/:name?passing=1`. With an index above 0 this is a blocking query: Consul responds on a change
	 * or after about `waitMs`. Resolves to the body, one unknown per entry, and the response's index.
	 * https://developer.hashicorp.com/consul/api-docs/features/blocking
	 */
	passingEntries(
		service: string,
		wait: Wait,
		signal: AbortSignal,
	): Promise<{ entries: unknown[]; index: bigint }>;
	/**
	 * `/v1/kv/:key`: a value, undefined if there is none, and its version, 0 if there is none. With an index above 0 this
	 * is a blocking query. https://developer.hashicorp.com/consul/api-docs/kv#read-key
	 */
	readValue(
		key: string,
		wait: Wait,
		signal: AbortSignal,
	): Promise<{ text: string | undefined; version: string; index: bigint }>;
	/** Replaces a value if its version is still the same. @returns whether it was replaced */
	writeValue(key: string, written: { text: string; version: string }, signal: AbortSignal): Promise<boolean>;
	/** `/v1/status/leader`: queries the Raft leader and reports it to `contact`. */
	probe(signal: AbortSignal): Promise<void>;
	/** Closes the kept-alive connections. */
	close(): void;
}

interface ConsulClientDeps {
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

	const query = <Result>(
		{ index, waitMs }: Wait,
		{ run, ...call }: Pick<ConsulCall<Result>, 'kind' | 'signal' | 'run' | 'read'>,
	): Promise<Result> =>
		failover.call((repeated) => {
			// Another address must respond at once, which shows that it is usable.
			const blocking = index > 0n && !repeated;
			const waiting = blocking ? { index: String(index), wait: `${waitMs}ms` } : {};
			return {
				...call,
				over: 'queries',
				// Consul adds up to a sixteenth to the requested wait; one more second is allowed for the response.
				timeoutMs: blocking ? Math.round(waitMs * 1.1) + 1_000 : timeoutMs,
				run: (consul, options) => run(consul, { ...waiting, ...options }),
			};
		});

	return {
		passingEntries: (service, wait, signal) =>
			query(wait, {
				kind: 'health.service',
				signal,
				run: (consul, options) => consul.health.service({ service, passing: true, ...options }),
				read: readEntries,
			}),
		readValue: (key, wait, signal) =>
			query(wait, {
				kind: 'kv.get',
				signal,
				run: (consul, options) => consul.kv.get({ key, ...options }),
				read: readValue,
			}),
		writeValue: (key, { text, version }, signal) =>
			failover.call(() => ({
				kind: 'kv.set',
				over: 'calls',
				signal,
				timeoutMs,
				run: (consul, options) => consul.kv.set({ key, value: text, cas: Number(version), ...options }),
				read: readReplaced,
			})),
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
		close: () => {
			for (const endpoint of endpoints) endpoint.close();
		},
	};
}
