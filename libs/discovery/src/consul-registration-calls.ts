import type { RegistryEntry } from './check-entries.ts';
import { type ConsulCall, callConsul } from './consul-call.ts';
import type { ConsulEndpoint } from './consul-endpoint.ts';
import type { ConsulFailover } from './consul-failover.ts';
import { type CatalogEntry, readCatalogEntries, readRegistered } from './consul-responses.ts';
import { instanceAt, type Registration } from './registry.ts';

/** The calls for registrations. All throw a ConsulCallError; failures of one agent aren't reported to `RegistryContact`. */
export interface ConsulRegistrationCalls {
	register(registration: Registration, signal: AbortSignal): Promise<void>;
	/** `/v1/agent/services`: the entry for an id at the agent that registered it last, or undefined. */
	findRegistered(id: string, signal: AbortSignal): Promise<RegistryEntry | undefined>;
	deregister(id: string, signal: AbortSignal): Promise<void>;
	/**
	 * `/v1/health/service/:name`: the entries of all agents for an id, in any state of health. With `stale` a server
	 * without a leader responds as well. https://developer.hashicorp.com/consul/api-docs/features/consistency
	 */
	catalogEntries(
		instance: { name: string; id: string; stale: boolean },
		signal: AbortSignal,
	): Promise<CatalogEntry[]>;
	/** `/v1/catalog/deregister`: removes the entry of another agent, which may add it again as critical. */
	removeFromCatalog(entry: { node: string; id: string }, signal: AbortSignal): Promise<void>;
}

export function createRegistrationCalls(
	failover: ConsulFailover,
	deregisterCriticalAfterMs: number,
): ConsulRegistrationCalls {
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
		register: (registration, signal) => {
			const definition = serviceDefinition(registration, deregisterCriticalAfterMs);
			const call = change('agent.register', signal, (consul, options) =>
				consul.agent.service.register({ ...definition, ...options }),
			);
			return failover.call(call, (endpoint) => homes.set(registration.id, endpoint));
		},
		findRegistered: (id, signal) =>
			callConsul(homeOf(id), {
				kind: 'agent.services',
				signal,
				run: (consul, options) => consul.agent.service.list(options),
				read: (response) => readRegistered(response, id),
			}),
		deregister: (id, signal) =>
			callConsul(
				homeOf(id),
				change('agent.deregister', signal, (consul, options) =>
					consul.agent.service.deregister({ id, ...options }),
				),
			),
		catalogEntries: ({ name, id, stale }, signal) => {
			// The package's types lack this option.
			const consistency: object = stale ? { stale } : {};
			return failover.call({
				kind: 'health.instance',
				signal,
				run: (consul, options) => consul.health.service({ service: name, ...consistency, ...options }),
				read: (response) => readCatalogEntries(response, id),
			});
		},
		removeFromCatalog: ({ node, id }, signal) =>
			failover.call(
				change('catalog.deregister', signal, (consul, options) =>
					consul.catalog.deregister({ node, serviceid: id, ...options }),
				),
			),
	};
}

/**
 * A registration in Consul's format. https://developer.hashicorp.com/consul/api-docs/agent/service#register-service
 *
 * Consul performs the check over HTTP: a TTL check would go critical whenever our event loop stalls. The check starts
 * as passing. By default Consul starts it as critical and makes the first check at a random moment within the interval,
 * so each start and each re-registration after Consul lost its data would leave the instance unused for that long. A
 * process registers when it is listening and ready, so the first check should pass. If it fails, Consul reports that
 * within one interval; the caller's circuit breaker covers the time before.
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
