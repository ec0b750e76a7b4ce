import { instanceAt } from './instance-at.ts';
import type { Registration } from './registry.ts';

/**
 * A registration in Consul's format. https://developer.hashicorp.com/consul/api-docs/agent/service#register-service
 *
 * Consul performs the check over HTTP: a TTL check would go critical whenever our event loop stalls. The check starts
 * as passing. By default Consul starts it as critical and makes the first check at a random moment within the interval,
 * so each start and each re-registration after Consul lost its data would leave the instance unused for that long. A
 * process registers when it is listening and ready, so the first check should pass. If it fails, Consul reports that
 * within one interval; the caller's circuit breaker covers the time before.
 */
export function serviceDefinition(registration: Registration, deregisterCriticalAfterMs: number) {
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
