import { instanceAt } from './instance-at.ts';
import type { Registration } from './registry.ts';

/**
 * A registration in Consul's words. https://developer.hashicorp.com/consul/api-docs/agent/service#register-service
 *
 * The check is Consul's to make, over HTTP: a TTL check would go critical whenever our event loop stalls. It starts
 * as passing. Consul would start it as critical and make the first check at a random moment within the interval, so
 * each start and each re-registration after Consul lost its data would leave the instance unused for that long. A
 * process registers when it is listening and ready, so passing is what the first check would find; where that is
 * wrong, the check says so within one interval, and until then the caller's circuit breaker does.
 */
export function serviceDefinition(registration: Registration, deregisterCriticalAfterMs: number) {
	const { name, id, address, port, healthPath, checkIntervalMs, checkTimeoutMs, tags } = registration;
	return {
		name,
		id,
		address,
		port,
		tags: [...(tags ?? [])],
		check: {
			name: `GET ${healthPath}`,
			http: `${instanceAt(address, port).url}${healthPath}`,
			interval: `${checkIntervalMs}ms`,
			timeout: `${checkTimeoutMs}ms`,
			status: 'passing',
			deregistercriticalserviceafter: `${deregisterCriticalAfterMs}ms`,
		},
	};
}
