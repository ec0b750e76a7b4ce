import type { Context } from '../contexts/context.ts';
import { closedForMaintenance } from '../upstream/override-table.ts';
import type { ObservedInstance } from '../upstream/upstream.ts';
import { ageSeconds, type ListedService, type Listing } from './discovery-health.ts';
import type { DependenciesHealth, HealthStatus, InstanceHealth, ServiceHealth } from './health-schemas.ts';
import type { ProbeResult } from './probe.ts';

export function instanceHealth(upstream: ObservedInstance, probe: ProbeResult): InstanceHealth {
	const { instance, breaker, inFlight } = upstream;
	const view = breaker.view();
	const known = { id: instance.id, address: `${instance.address}:${instance.port}`, inFlight, breaker: view };
	// It may respond to health probes, but gets no requests.
	if (view.state === 'OPEN' && (probe.status !== 'DOWN' || view.forced !== undefined)) {
		return {
			...probe,
			...known,
			status: 'DOWN',
			reason: 'CIRCUIT_OPEN',
			message:
				view.forced === undefined ? 'Requests fail; the breaker is open' : closedForMaintenance(view.forced),
		};
	}
	if (view.state === 'HALF_OPEN' && probe.status === 'UP') {
		return {
			...probe,
			...known,
			status: 'DEGRADED',
			reason: 'CIRCUIT_OPEN',
			message: 'Breaker half-open; one request at a time until one succeeds',
		};
	}
	if (view.state === 'OPEN') return { ...probe, ...known, message: `${probe.message}; it gets no requests` };
	return { ...probe, ...known };
}

/** One context from its instances: all usable = UP, none = DOWN, otherwise DEGRADED, as are unlisted ones, which are dropped soon. */
export function serviceHealth(
	context: Context,
	{ instances, snapshot, listing }: ListedService & { readonly listing: Listing },
	now: Date,
): ServiceHealth {
	const discovery = {
		stale: listing === 'STALE',
		unlisted: listing === 'UNLISTED',
		ageSeconds: ageSeconds(snapshot.lastResponseAt, now),
		rejected: snapshot.rejected,
	};
	const base = {
		critical: context.critical,
		...mergedComponents(instances),
		instances: [...instances],
		discovery,
	};
	if (instances.length === 0) {
		return { ...base, status: 'DOWN', reason: 'NO_INSTANCES', message: noneListed };
	}
	const latencyMs = Math.max(...instances.map((instance) => instance.latencyMs));
	const bad = instances.find((instance) => instance.status !== 'UP');
	if (bad === undefined && discovery.unlisted) {
		const message = `${noneListed}; the last known ones are used`;
		return { ...base, status: 'DEGRADED', reason: 'NO_INSTANCES', message, latencyMs };
	}
	if (bad === undefined) return { ...base, status: 'UP', latencyMs };
	const { reason, statusCode, message } = bad;
	return { ...base, status: statusOf(instances), latencyMs, reason, statusCode, message };
}

const noneListed = 'The registry lists no healthy instance';

/** By name; a dependency that fails for one instance has the status of that instance. */
function mergedComponents(instances: readonly InstanceHealth[]): { components?: DependenciesHealth } {
	const all = instances.flatMap(({ components }) => Object.entries(components ?? {}));
	if (all.length === 0) return {};
	const failing = all.filter(([, { status }]) => status !== 'UP');
	return { components: { ...Object.fromEntries(all), ...Object.fromEntries(failing) } };
}

function statusOf(instances: readonly InstanceHealth[]): HealthStatus {
	if (instances.every(({ status }) => status === 'DOWN')) return 'DOWN';
	if (instances.every(({ status }) => status === 'UNKNOWN')) return 'UNKNOWN';
	return 'DEGRADED';
}
