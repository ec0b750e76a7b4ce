import type { Logger } from '@paddock/telemetry';
import type { ConsulAccess } from './consul-access.ts';
import type { ConsulAddress } from './consul-address.ts';
import { type ConsulCall, ConsulCallError, callConsul, type Wait } from './consul-call.ts';
import { type ConsulEndpoint, openConsulEndpoint } from './consul-endpoint.ts';
import {
	readCatalogEntries,
	readEntries,
	readLeader,
	readRegistered,
	readReplaced,
	readValues,
} from './consul-responses.ts';
import { instanceAt, type Registration } from './registry.ts';
import type { RegistryContact } from './registry-contact.ts';

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

/** The calls to Consul that discovery needs. All throw a ConsulCallError, also when the signal aborts them. */
export type ConsulClient = ReturnType<typeof openConsulClient>;

/** Wraps the `consul` package. Its `watch` isn't used: it stops on a 400 or a missing index and doesn't pause. */
export function openConsulClient(deps: ConsulClientDeps) {
	const { contact, logger } = deps;
	const [first, ...others] = deps.addresses;
	const open = (address: ConsulAddress) => openConsulEndpoint(address, deps.access, deps.callTimeoutMs);
	const endpoints: [ConsulEndpoint, ...ConsulEndpoint[]] = [open(first), ...others.map(open)];
	const failover = createConsulFailover({ endpoints, contact, logger });
	return {
		/**
		 * Passing instances. With an index above 0 it blocks up to about `waitMs`, until they change.
		 * https://developer.hashicorp.com/consul/api-docs/features/blocking
		 */
		passingEntries: (service: string, wait: Wait, signal: AbortSignal) =>
			failover.call({
				kind: 'health.service',
				signal,
				wait,
				run: (consul, options) => consul.health.service({ service, passing: true, ...options }),
				read: readEntries,
			}),
		/** The value at the prefix, key '', and those below it. https://developer.hashicorp.com/consul/api-docs/kv#read-key */
		readValues: (prefix: string, wait: Wait, signal: AbortSignal) =>
			failover.call({
				kind: 'kv.get',
				signal,
				wait,
				run: (consul, options) => consul.kv.get({ key: prefix, recurse: true, ...options }),
				read: (response) => readValues(response, prefix),
			}),
		/** Replaces, or without a text removes, a value if its version is still the same. @returns whether that was done */
		writeValue: (
			key: string,
			{ text, version }: { text: string | undefined; version: string },
			signal: AbortSignal,
		) =>
			failover.call({
				kind: text === undefined ? 'kv.del' : 'kv.set',
				signal,
				run: (consul, options) => {
					const call = { key, cas: Number(version), ...options };
					return text === undefined ? consul.kv.del(call) : consul.kv.set({ ...call, value: text });
				},
				read: readReplaced,
			}),
		/** Queries the Raft leader and reports it to `contact`. */
		probe: async (signal: AbortSignal): Promise<void> => {
			const run: ConsulCall<unknown>['run'] = (consul, options) => consul.status.leader(options);
			const timeoutMs = deps.probeTimeoutMs;
			contact.leaderIs(await failover.call({ kind: leaderQuery, signal, timeoutMs, run, read: readLeader }));
		},
		...registrationCalls(failover, deps.deregisterCriticalAfterMs),
		close: (): void => {
			for (const endpoint of endpoints) endpoint.close();
		},
	};
}

/** Failures of the agent that registered an id say nothing about Consul as a whole and aren't reported to `contact`. */
function registrationCalls(failover: ConsulFailover, deregisterCriticalAfterMs: number) {
	/** Where each id was registered: another address leads to another agent, which doesn't know the id. */
	const homes = new Map<string, ConsulEndpoint>();
	const homeOf = (id: string) => homes.get(id) ?? failover.current();
	const change = (kind: string, signal: AbortSignal, run: ConsulCall<void>['run']): ConsulCall<void> => ({
		kind,
		signal,
		run,
		read: () => undefined,
	});
	return {
		register: (registration: Registration, signal: AbortSignal) => {
			const definition = serviceDefinition(registration, deregisterCriticalAfterMs);
			const call = change('agent.register', signal, (consul, options) =>
				consul.agent.service.register({ ...definition, ...options }),
			);
			return failover.call(call, (endpoint) => homes.set(registration.id, endpoint));
		},
		/** The entry for an id at the agent that registered it last, or undefined. */
		findRegistered: (id: string, signal: AbortSignal) =>
			callConsul(homeOf(id), {
				kind: 'agent.services',
				signal,
				run: (consul, options) => consul.agent.service.list(options),
				read: (response) => readRegistered(response, id),
			}),
		deregister: (id: string, signal: AbortSignal) =>
			callConsul(
				homeOf(id),
				change('agent.deregister', signal, (consul, options) =>
					consul.agent.service.deregister({ id, ...options }),
				),
			),
		/** The entries of all agents for an id, in any state of health; with `stale` also from a server without a leader. */
		catalogEntries: (
			{ name, id, stale }: { name: string; id: string; stale: boolean },
			signal: AbortSignal,
		) => {
			// The package's types lack this option.
			const consistency: object = stale ? { stale } : {};
			return failover.call({
				kind: 'health.instance',
				signal,
				run: (consul, options) => consul.health.service({ service: name, ...consistency, ...options }),
				read: (response) => readCatalogEntries(response, id),
			});
		},
		/** Removes the entry of another agent, which may add it again as critical. */
		removeFromCatalog: ({ node, id }: { node: string; id: string }, signal: AbortSignal) =>
			failover.call(
				change('catalog.deregister', signal, (consul, options) =>
					consul.catalog.deregister({ node, serviceid: id, ...options }),
				),
			),
	};
}

/**
 * https://developer.hashicorp.com/consul/api-docs/agent/service#register-service. Consul checks over HTTP: a TTL check would go
 * critical whenever our event loop stalls. The check starts as passing, because a process registers when it is ready: by default
 * Consul leaves an instance unused up to its first check.
 */
function serviceDefinition(registration: Registration, deregisterCriticalAfterMs: number) {
	const { name, id, address, port, secure, healthPath, checkIntervalMs, checkTimeoutMs, tags } = registration;
	const url = `${instanceAt(address, port).url}${healthPath}`;
	return {
		name,
		id,
		address,
		port,
		tags: [...(tags ?? [])],
		check: {
			name: `GET ${healthPath}`,
			http: secure === true ? url.replace('http:', 'https:') : url,
			// The agent verifies its own name only, docs/decisions/0046. It presents its certificate if it is configured to.
			...(secure === true ? { tlsskipverify: true } : {}),
			interval: `${checkIntervalMs}ms`,
			timeout: `${checkTimeoutMs}ms`,
			status: 'passing',
			deregistercriticalserviceafter: `${deregisterCriticalAfterMs}ms`,
		},
	};
}

interface ConsulFailover {
	/**
	 * Makes a call at the current address. If that fails, the next one becomes the current one and the call is repeated there,
	 * once for each address. Only the first change is logged until a call of the same kind succeeds.
	 * @param onAttempt called before each attempt
	 */
	call<Result>(call: ConsulCall<Result>, onAttempt?: (endpoint: ConsulEndpoint) => void): Promise<Result>;
	current(): ConsulEndpoint;
}

interface ConsulFailoverDeps {
	endpoints: readonly [ConsulEndpoint, ...ConsulEndpoint[]];
	/** Receives the outcome of every call that wasn't aborted. */
	contact: RegistryContact;
	logger: Logger;
}

/** The kind of the regular call that doesn't block. */
const leaderQuery = 'status.leader';

function createConsulFailover({ endpoints, contact, logger }: ConsulFailoverDeps): ConsulFailover {
	let current = endpoints[0];
	/** The kinds of calls whose last result was a failure. Without a leader every call of a kind changes the address. */
	const failing = new Set<string>();

	/** Has no effect if another call has left the address already. */
	function leave(failed: ConsulEndpoint, kind: string, error: ConsulCallError): void {
		if (failed !== current) return;
		if (endpoints.length === 1) {
			const isFirst = !failing.has(kind);
			failing.add(kind);
			// A blocking query would notice a frozen Consul after its whole time-out.
			if (isFirst && kind === leaderQuery && !error.responded) failed.abort(error);
			return;
		}
		current = endpoints[(endpoints.indexOf(failed) + 1) % endpoints.length] ?? endpoints[0];
		if (!failing.has(kind)) {
			logger.warn('registry address changed', { from: failed.url, to: current.url, error });
		}
		failing.add(kind);
		// The other queries would wait for their time-out at an address that has stopped responding.
		failed.abort(error);
	}

	return {
		call: async (call, onAttempt) => {
			const { kind, signal, wait } = call;
			// Another address must respond at once, which shows that it is usable.
			const repeated = wait === undefined ? call : { ...call, wait: { ...wait, index: 0n } };
			for (let attempt = 1; ; attempt += 1) {
				const endpoint = current;
				onAttempt?.(endpoint);
				try {
					const result = await callConsul(endpoint, attempt === 1 ? call : repeated);
					contact.succeeded(kind);
					failing.delete(kind);
					return result;
				} catch (error) {
					if (signal.aborted || !(error instanceof ConsulCallError)) throw error;
					if (!error.refused) leave(endpoint, kind, error);
					if (!error.refused && attempt < endpoints.length) continue;
					contact.failed(kind, error);
					throw error;
				}
			}
		},
		current: () => current,
	};
}
