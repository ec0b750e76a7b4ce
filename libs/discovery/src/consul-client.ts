import type { Logger } from '@paddock/telemetry';
import type { ConsulAccess } from './consul-access.ts';
import type { ConsulAddress } from './consul-address.ts';
import type { ConsulCall, Wait } from './consul-call.ts';
import { type ConsulEndpoint, openConsulEndpoint } from './consul-endpoint.ts';
import { createConsulFailover, leaderQuery } from './consul-failover.ts';
import { type ConsulRegistrationCalls, createRegistrationCalls } from './consul-registration-calls.ts';
import {
	type IndexedEntries,
	type IndexedValues,
	readEntries,
	readLeader,
	readReplaced,
	readValues,
} from './consul-responses.ts';
import type { RegistryContact } from './registry-contact.ts';

/** The calls to Consul that discovery needs. All throw a ConsulCallError, also when the signal aborts them. */
export interface ConsulClient extends ConsulRegistrationCalls {
	/**
	 * `/v1/health/service/:name?passing=1`. With an index above 0 this is a blocking query: Consul responds on a change
	 * or after about `waitMs`.
	 * https://developer.hashicorp.com/consul/api-docs/features/blocking
	 */
	passingEntries(service: string, wait: Wait, signal: AbortSignal): Promise<IndexedEntries>;
	/** The value at the prefix, key '', and those below it. https://developer.hashicorp.com/consul/api-docs/kv#read-key */
	readValues(prefix: string, wait: Wait, signal: AbortSignal): Promise<IndexedValues>;
	/** Replaces, or without a text removes, a value if its version is still the same. @returns whether that was done */
	writeValue(
		key: string,
		written: { text: string | undefined; version: string },
		signal: AbortSignal,
	): Promise<boolean>;
	/** `/v1/status/leader`: queries the Raft leader and reports it to `contact`. */
	probe(signal: AbortSignal): Promise<void>;
	close(): void;
}

interface ConsulClientDeps {
	addresses: readonly [ConsulAddress, ...ConsulAddress[]];
	access: ConsulAccess;
	callTimeoutMs: number;
	probeTimeoutMs: number;
	deregisterCriticalAfterMs: number;
	/** Receives the outcome of every call that wasn't aborted. */
	contact: RegistryContact;
	logger: Logger;
}

/** Wraps the `consul` package. Its `watch` isn't used: it stops on a 400 or a missing index and doesn't pause. */
export function openConsulClient(deps: ConsulClientDeps): ConsulClient {
	const { contact, logger } = deps;
	const [first, ...others] = deps.addresses;
	const open = (address: ConsulAddress) => openConsulEndpoint(address, deps.access, deps.callTimeoutMs);
	const endpoints: [ConsulEndpoint, ...ConsulEndpoint[]] = [open(first), ...others.map(open)];
	const failover = createConsulFailover({ endpoints, contact, logger });
	return {
		passingEntries: (service, wait, signal) =>
			failover.call({
				kind: 'health.service',
				signal,
				wait,
				run: (consul, options) => consul.health.service({ service, passing: true, ...options }),
				read: readEntries,
			}),
		readValues: (prefix, wait, signal) =>
			failover.call({
				kind: 'kv.get',
				signal,
				wait,
				run: (consul, options) => consul.kv.get({ key: prefix, recurse: true, ...options }),
				read: (response) => readValues(response, prefix),
			}),
		writeValue: (key, { text, version }, signal) =>
			failover.call({
				kind: text === undefined ? 'kv.del' : 'kv.set',
				signal,
				run: (consul, options) => {
					const call = { key, cas: Number(version), ...options };
					return text === undefined ? consul.kv.del(call) : consul.kv.set({ ...call, value: text });
				},
				read: readReplaced,
			}),
		probe: async (signal) => {
			const run: ConsulCall<unknown>['run'] = (consul, options) => consul.status.leader(options);
			const timeoutMs = deps.probeTimeoutMs;
			contact.leaderIs(await failover.call({ kind: leaderQuery, signal, timeoutMs, run, read: readLeader }));
		},
		...createRegistrationCalls(failover, deps.deregisterCriticalAfterMs),
		close: () => {
			for (const endpoint of endpoints) endpoint.close();
		},
	};
}
